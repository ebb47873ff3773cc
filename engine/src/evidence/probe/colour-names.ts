/** ITU-T H.273 code points by the names that ffprobe prints. Code 2 is "unspecified" and has none. */
export const transferNames: Readonly<Record<number, string>> = {
  1: "bt709",
  4: "bt470m",
  5: "bt470bg",
  6: "smpte170m",
  7: "smpte240m",
  8: "linear",
  11: "iec61966-2-4",
  13: "iec61966-2-1",
  14: "bt2020-10",
  15: "bt2020-12",
  16: "smpte2084",
  17: "smpte428",
  18: "arib-std-b67",
};

export const primariesNames: Readonly<Record<number, string>> = {
  1: "bt709",
  4: "bt470m",
  5: "bt470bg",
  6: "smpte170m",
  7: "smpte240m",
  8: "film",
  9: "bt2020",
  10: "smpte428",
  11: "smpte431",
  12: "smpte432",
};

export const matrixNames: Readonly<Record<number, string>> = {
  0: "gbr",
  1: "bt709",
  4: "fcc",
  5: "bt470bg",
  6: "smpte170m",
  7: "smpte240m",
  8: "ycgco",
  9: "bt2020nc",
  10: "bt2020c",
  14: "ictcp",
};
