// The time that a view shows: nothing for now, else the moment in the past, in milliseconds, to which its reader went back.
// What is shown of the past cannot be answered or changed, counts its ages from then, and is not read out as news.
import { createContext, useContext } from "react";

export const MomentContext = createContext<number | undefined>(undefined);

export const useMoment = (): number | undefined => useContext(MomentContext);
