import { everyFrame, type Scene, show, smallFormat } from "../../../../golden/frames.ts";
import type { FlashEvidence, FrameFormat } from "../../evidence.ts";
import { createFlashConsumer } from "../flashes.ts";

/** What is seen of a scene that was drawn frame by frame. */
export function watch(scene: Scene, options: { times?: number[]; format?: FrameFormat } = {}): Promise<FlashEvidence> {
  const format = options.format ?? smallFormat;
  return show(scene, { times: options.times ?? everyFrame(25, 2), format, consumer: createFlashConsumer(format) });
}
