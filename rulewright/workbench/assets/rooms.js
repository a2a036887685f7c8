// The rooms of the page: what stands behind # in the address, its title, what shows it, and where one begins in it.

import { Situations } from "./situations.js";
import { TableRoom } from "./table.js";
import { PlayRoom } from "./play.js";
import { LabRoom } from "./lab.js";
import { ChangeRoom } from "./change.js";
import { RulesRoom } from "./rules.js";
import { BookRoom } from "./book.js";

export const FIRST = "#/table/card.first_snow";
export const ROOMS = {
  table: ["Table", TableRoom, FIRST],
  play: ["Play", PlayRoom, "#/situations"],
  lab: ["Lab", LabRoom, "#/lab"],
  rules: ["Rules", RulesRoom, "#/rules"],
  change: ["Change", ChangeRoom, "#/change/two_clans"],
  book: ["Book", BookRoom, "#/book"],
  situations: ["Situations", Situations, "#/situations"],
};
