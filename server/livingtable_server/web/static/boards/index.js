/** The boards, by game. */

import { botwars } from "./botwars.js";
import { foxhunt } from "./foxhunt.js";
import { skirmish } from "./skirmish.js";

export const boards = { botwars, foxhunt, skirmish };
