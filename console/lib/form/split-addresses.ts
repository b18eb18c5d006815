interface Part {
  /** Where it begins. */
  from: number
  text: string
  isAddress: boolean
}

/** Those of IPv4; those of IPv6 in full, or with the gap that no time of day has. */
const addresses =
  /(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\w)|(?:[\da-f]{1,4}:){7}[\da-f]{1,4}|(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?::(?:[\da-f]{1,4}(?::[\da-f]{1,4})*)?)/gi

/** Every machine has these for itself, so that they give nothing away. */
const ownOfEach = /^(?:127(?:\.\d{1,3}){3}|0\.0\.0\.0|::1?)$/

/** A text, cut where an IP address begins and ends. That of Slipway `itself` stands in everybody's address bar. */
export function splitAddresses(text: string, itself?: string): Part[] {
  const parts: Part[] = []
  let from = 0
  const take = (until: number, isAddress: boolean) => {
    if (until > from) parts.push({ from, text: text.slice(from, until), isAddress })
    from = until
  }
  for (const found of text.matchAll(addresses)) {
    if (found[0] === itself || ownOfEach.test(found[0])) continue
    take(found.index, false)
    take(found.index + found[0].length, true)
  }
  take(text.length, false)
  return parts
}
