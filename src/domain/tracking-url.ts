/** Absolute URL of a parcel's public tracking page. */
export function trackingUrl(baseUrl: string, shortTrackingCode: string): string {
  return `${baseUrl}/track/${shortTrackingCode}`;
}
