/**
 * HDR for the screens that everybody has, by filters that every build of libav has. Up to a bright surface (203 cd/m²)
 * little changes; highlights are compressed instead of cut. The gamut is converted after the curve, which is not exact
 * for saturated colours: for judging colour there is the original.
 */
export function toneMapFilters(transfer: "pq" | "hlg"): string[] {
  const value = `'${light[transfer]};${curve};maxval*pow(ld(2),1/2.4)'`;
  return [
    "format=gbrp10le",
    `lutrgb=r=${value}:g=${value}:b=${value}`,
    "colorchannelmixer=rr=1.66:rg=-0.588:rb=-0.072:gr=-0.125:gg=1.133:gb=-0.008:br=-0.018:bg=-0.101:bb=1.119",
  ];
}

/**
 * Light of a sample against that of a bright surface, into variable 1 (SMPTE ST 2084; ARIB STD-B67 at 1,000 cd/m²). The
 * table has values beyond the greatest, whose light is none.
 */
const light = {
  pq: "st(0,pow(min(val/maxval,1),1/78.84375));st(1,49.261*pow(max(ld(0)-0.8359375,0)/(18.8515625-18.6875*ld(0)),6.2773946))",
  hlg: "st(0,min(val/maxval,1));st(1,4.926*pow(if(lte(ld(0),0.5),ld(0)*ld(0)/3,(exp((ld(0)-0.55991073)/0.17883277)+0.28466892)/12),1.2))",
} as const;

/** Straight to 0.6, then ever flatter towards 1. */
const curve = "st(2,if(lt(ld(1),0.6),ld(1),1-0.4*exp((0.6-ld(1))/0.4)))";
