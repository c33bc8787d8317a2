// The picture that is looked at in large. It is kept outside of the list: a row that is scrolled away does not take it along.
import { Cell } from "../../model/store";
import type { Shown } from "./sources";

export const viewed = new Cell<Shown | undefined>(undefined);
