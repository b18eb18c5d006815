interface Part {
  from: number
  text: string
  isAddress: boolean
}

/**
 * Pattern of IPv4 addresses, also in a generated host name, and of IPv6 addresses in full or with `::`, which no time
 * of day contains. An example after “such as”, such as 10.0.0.0/8, does not match.
 */
const addresses =
  /(?<![\w.:]|such as )(?:\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\w)|(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?::(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?)|(?<!\d)\d{1,3}(?:[.-]\d{1,3}){3}(?=\.sslip\.io\b)/gi

/** Pattern of loopback and unspecified addresses, which reveal nothing. */
const ownOfEach = /^(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|::1?)$/

/** Splits a text at IP addresses. The address of Slipway `itself` is not masked, because the address bar shows it. */
export function splitAddresses(text: string, itself?: string): Part[] {
  const parts: Part[] = []
  let from = 0
  const take = (until: number, isAddress: boolean) => {
    if (until > from) parts.push({ from, text: text.slice(from, until), isAddress })
    from = until
  }
  for (const match of text.matchAll(addresses)) {
    if (match[0] === itself || ownOfEach.test(match[0])) continue
    take(match.index, false)
    take(match.index + match[0].length, true)
  }
  take(text.length, false)
  return parts
}

/** Replaces IP addresses in plain text, such as labels and titles. */
export const maskAddresses = (text: string, itself?: string) =>
  splitAddresses(text, itself)
    .map((part) => (part.isAddress ? '•••' : part.text))
    .join('')
