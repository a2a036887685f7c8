// Where two stacks answer differently: the blocks of `diff`.

import { blocksShown } from "./blocks.js";
import { h } from "./dom.js";

/** Show a difference. */
export const differences = (data) => [h("h2", {}, `${data.b} compared with ${data.a}`), ...blocksShown(data.blocks)];
