import { AV_CODEC_FLAG_QSCALE, AV_CODEC_ID_MJPEG, AV_PIX_FMT_YUVJ420P } from "node-av/constants";
import { Codec, CodecContext, Dictionary, type Frame, Packet, Rational } from "node-av/lib";

/** One step of ffmpeg's `-q:v` in libav's unit of quality. */
const qualityStep = 118;

/** A picture as JPEG, of a fixed quality (as ffmpeg's `-q:v`) or one that the settings allow. */
export function encodeJpeg(
  picture: Frame,
  options: { quality: number } | { settings: Record<string, string> },
): Buffer {
  const codec = Codec.findEncoder(AV_CODEC_ID_MJPEG);
  if (codec === null) throw new Error("node-av has no JPEG encoder.");
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  encoder.width = picture.width;
  encoder.height = picture.height;
  encoder.pixelFormat = AV_PIX_FMT_YUVJ420P;
  encoder.timeBase = new Rational(1, 25);
  if ("quality" in options) {
    encoder.setFlags(AV_CODEC_FLAG_QSCALE);
    encoder.globalQuality = options.quality * qualityStep;
    picture.quality = options.quality * qualityStep;
  }
  picture.pts = 0n;
  const packet = new Packet();
  packet.alloc();
  const isEncoded =
    encoder.open2Sync(codec, "settings" in options ? Dictionary.fromObject(options.settings) : null) >= 0 &&
    encoder.sendFrameSync(picture) >= 0 &&
    encoder.sendFrameSync(null) >= 0 &&
    encoder.receivePacketSync(packet) >= 0;
  if (!isEncoded || packet.data === null) throw new Error("node-av could not encode the picture.");
  return packet.data;
}
