// The views of the page: the name of each in the address, its title, its class, and its first address.

import { SituationsView } from "./situations.js";
import { TableView } from "./table.js";
import { PlayView } from "./play.js";
import { LabView } from "./lab.js";
import { ChangeView } from "./change.js";
import { BookView } from "./book.js";

export const FIRST = "#/table/card.first_snow";
export const VIEWS = {
  table: ["Table", TableView, FIRST],
  play: ["Play", PlayView, "#/situations"],
  lab: ["Lab", LabView, "#/lab"],
  change: ["Change", ChangeView, "#/change/two_clans"],
  book: ["Book", BookView, "#/book"],
  situations: ["Situations", SituationsView, "#/situations"],
};
