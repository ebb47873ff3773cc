/** How far each pixel is from the nearest 1 of a mask: the larger of the two distances, across and down. At most `most`. */
export function distanceToMask(
  { width, height, mask }: { width: number; height: number; mask: Uint8Array },
  most: number,
): Uint8Array {
  // A frame of pixels that are far from everything spares the question whether there is a neighbour.
  const stride = width + 2;
  const framed = new Uint8Array(stride * (height + 2)).fill(most);
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0, to = (y + 1) * stride + 1; x < width; x += 1, at += 1, to += 1) if (mask[at] === 1) framed[to] = 0;
  }
  const [forwards, backwards] = [
    { beside: -1, row: -stride },
    { beside: 1, row: stride },
  ];
  // What lies above and to the left first, then what lies below and to the right: that reaches everything.
  for (let y = 1; y <= height; y += 1) {
    for (let at = y * stride + 1; at <= y * stride + width; at += 1) spread(framed, at, forwards);
  }
  for (let y = height; y >= 1; y -= 1) {
    for (let at = y * stride + width; at > y * stride; at -= 1) spread(framed, at, backwards);
  }
  const distance = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    const start = (y + 1) * stride + 1;
    distance.set(framed.subarray(start, start + width), y * width);
  }
  return distance;
}

type Direction = { beside: number; row: number };

/** One more than the nearest of the neighbour beside and the three in the row before or after. */
function spread(framed: Uint8Array, at: number, { beside, row }: Direction): void {
  const own = framed[at] as number;
  if (own === 0) return;
  const [near, over] = [framed[at + beside] as number, framed[at + row] as number];
  const [left, right] = [framed[at + row - 1] as number, framed[at + row + 1] as number];
  const least = Math.min(near, over, left, right) + 1;
  if (least < own) framed[at] = least;
}
