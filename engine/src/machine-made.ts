/** The IPTC terms for content that a trained model made, wholly or in part. */
export function isMachineMade(sourceType: string): boolean {
  return sourceType === "trainedAlgorithmicMedia" || sourceType === "compositeWithTrainedAlgorithmicMedia";
}
