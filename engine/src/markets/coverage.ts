import { findCheckKind } from "../checks/kinds.ts";
import type { MediaKind } from "../evidence/probe/probe-shape.ts";
import { applicabilityIn } from "../rules/context.ts";
import type { Sidekick } from "../sidekick.ts";
import type { Market } from "./markets.ts";

export type Coverage = {
  /** Rules of the place that were judged, those of the EU included; rules for everywhere are not counted. */
  placeRules: number;
  /** Of them the country's own: those that name it, alone or with two others at most. */
  ownRules: number;
  minimumRules: number;
  /** False: too few rules to call anything clear. */
  isSufficient: boolean;
  /** True: the country's own codes are hardly covered. */
  isThin: boolean;
};

/** A rule for half of the world tells nothing about a country's own codes and laws. */
const maxPlacesOfOwnRule = 3;

/**
 * How much of a market's rules an asset was judged by. The sector and the audience do not count: an ad for bread is not
 * badly covered because no rule is about bread.
 */
export function coverageOf(
  market: Market,
  options: {
    sidekicks: readonly Sidekick[];
    mediaKind: MediaKind;
    today: string;
    /** Rules that could not be judged for want of evidence. */
    unjudgedRules: ReadonlySet<string>;
  },
): Coverage {
  const { sidekicks, mediaKind, today, unjudgedRules } = options;
  const place = market.context.jurisdictions?.[0] ?? "";
  const applicabilityOf = applicabilityIn(market.context, today);
  const rules = sidekicks
    .flatMap((sidekick) => sidekick.rules)
    .filter(
      (rule) =>
        rule.jurisdictions.length > 0 &&
        !unjudgedRules.has(rule.code) &&
        findCheckKind(rule.check.kind)?.appliesTo.includes(mediaKind) === true &&
        applicabilityOf({ ...rule, sectors: [], audiences: [] }).applies,
    );
  const ownRules = rules.filter(
    ({ jurisdictions }) => jurisdictions.includes(place) && jurisdictions.length <= maxPlacesOfOwnRule,
  ).length;
  return {
    placeRules: rules.length,
    ownRules,
    minimumRules: market.minimumRules,
    // Thin is not sufficient: the laws of the EU say nothing of a country's own.
    isSufficient: rules.length >= market.minimumRules && ownRules >= market.ownRules,
    isThin: ownRules < market.ownRules,
  };
}
