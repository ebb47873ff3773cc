export type Point = { x: number; y: number };

/** Clockwise from the top left of the text, whichever way the text is turned. */
export type Box = [Point, Point, Point, Point];

/** A line of text as the reader found it, in pixels of the picture that it was given. */
export type ReadLine = {
  text: string;
  /** 0 to 1. */
  confidence: number;
  box: Box;
  /** Where the middle of each character of `text` stands along the box, 0 to 1. */
  letters: number[];
  /** Its words are not English, and it was not looked into why: ask again with `isThorough`. */
  isOdd?: boolean;
  /** It stands on its head in its box, or runs down the picture where the box is higher than wide. */
  isTurnedOver?: boolean;
  /** Letters for certain, though they could not be read: they stand along a curve or one above the other. */
  isLettering?: boolean;
  /** Of a word whose letters stand one above the other: the height of one, in pixels. */
  letterHeight?: number;
  /** The name of a script that is not read: then `text` is no text. */
  script?: string;
};

export type ReadOptions = {
  /** Where the lines are, when that is known: nothing is looked for, which is what costs most. One answer a box. */
  boxes?: Box[];
  /** Text that is known already: lines that reach no further than one of these are not read again. */
  skip?: Box[];
  /**
   * Lines may lie on their side or stand on their head, and what is there but cannot be read is named, with an empty
   * text: stills and scanned pages. Films leave it out, where texture is looked at over and over.
   */
  isStill?: boolean;
  /** Odd lines are read by a second reader too, which takes a second: for their accents, or to name their script. */
  isThorough?: boolean;
  /** What is there but cannot be read is among the answers, with an empty text. */
  namesUnread?: boolean;
};
