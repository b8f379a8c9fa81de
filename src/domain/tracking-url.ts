/** Absolute URL of a parcel's public tracking page. */
export function trackingUrl(baseUrl: string, shortTrackingCode: string): string {
  return `${baseUrl}/track/${shortTrackingCode}`;
}

/** Absolute URL of the page by which the recipient of a parcel stops the merchant's mails. */
export function mailsUrl(baseUrl: string, shortTrackingCode: string): string {
  return `${trackingUrl(baseUrl, shortTrackingCode)}/mails`;
}
