import { useSignal } from "@preact/signals";
import type { Review, Verdicts } from "@greenlit/sdk/src/generated.ts";
import { useEffect, useRef } from "preact/hooks";
import { greenlit, messageOf } from "../api/client.ts";
import { Link } from "../ui/router.tsx";
import { isWorse, type Verdict, verdictLabel, VerdictMark } from "./verdict.tsx";

type Place = { code: string; worst: Verdict; text: string };

/** One judgement at a time: each takes a core of the service for a moment. */
let last: Promise<unknown> = Promise.resolve();

/** What each place would say about an asset of a list, by its hardest channel. Asked for when the row is seen. */
export function MarketStrip({ review: { submissionId, assetId } }: { review: Review }) {
  const strip = useRef<HTMLDivElement>(null);
  const places = useSignal<Place[]>([]);
  const note = useSignal("Judging markets…");
  useEffect(() => {
    let isGone = false;
    const read = async () => {
      if (isGone) return;
      const params = { submission_id: submissionId, asset_id: assetId };
      try {
        const { markets } = await greenlit.call("readVerdicts", { params, query: { detail: "summary" } });
        places.value = placesOf(markets);
        note.value = "";
      } catch (error) {
        note.value = messageOf(error);
      }
    };
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      last = last.then(read);
    });
    if (strip.current) observer.observe(strip.current);
    return () => {
      isGone = true;
      observer.disconnect();
    };
  }, [assetId]);
  return (
    <div ref={strip} class="market-strip">
      {note.value}
      {places.value.map(({ code, worst, text }) => (
        <span key={code} title={text}>
          <VerdictMark verdict={worst} size={12} /> <span aria-hidden="true">{code}</span>
          <span class="sr">{text}</span>
        </span>
      ))}
      {places.value.length > 0 && <Link to={`/assets/${submissionId}/${assetId}/markets`}>All markets</Link>}
    </div>
  );
}

function placesOf(markets: Verdicts["markets"]): Place[] {
  const places = new Map<string, Place>();
  for (const { market, name, verdict } of markets) {
    const [code = market] = market.split(":");
    const known = places.get(code);
    if (known && !isWorse(verdict, known.worst)) continue;
    places.set(code, { code, worst: verdict, text: `${name}: ${verdictLabel(verdict).toLowerCase()}` });
  }
  return [...places.values()];
}
