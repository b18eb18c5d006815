/** Standard Webhooks require 24 to 64 random bytes in base64 after `whsec_`. */
export function generateSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return `whsec_${btoa(String.fromCodePoint(...bytes))}`
}
