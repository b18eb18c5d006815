interface Part {
  from: number
  text: string
  isAddress: boolean
}

/**
 * IPv4, and IPv6 in full or with `::`, which no time of day contains, and the IPv4 address in a generated host name.
 * “such as 10.0.0.0/8” is an example.
 */
const addresses =
  /(?<![\w.:]|such as )(?:\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\w)|(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?::(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?)|(?<!\d)\d{1,3}(?:[.-]\d{1,3}){3}(?=\.sslip\.io\b)/gi

/** Loopback and unspecified addresses reveal nothing. */
const ownOfEach = /^(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|::1?)$/

/** Splits a text at IP addresses. The address of Slipway `itself` is not masked: it is in the address bar. */
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

/** Labels and titles are plain text, so addresses in them are replaced. */
export const maskAddresses = (text: string, itself?: string) =>
  splitAddresses(text, itself)
    .map((part) => (part.isAddress ? '•••' : part.text))
    .join('')
