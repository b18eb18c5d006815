/** An address as the kernel writes it in its tables, as one would; empty for all of the machine. */
export function hostOfSocket(written: string): string {
  if (/^0+$/.test(written)) return ''
  const bytes = Buffer.from(written, 'hex')
  // Each word is the wrong way round.
  const inOrder = [...Array(bytes.length / 4).keys()].flatMap((word) =>
    [...bytes.subarray(4 * word, 4 * word + 4)].toReversed(),
  )
  const isMapped = bytes.length === 16 && Buffer.from(inOrder).toString('hex').startsWith(mapped)
  if (bytes.length === 4 || isMapped) return inOrder.slice(-4).join('.')
  const groups = Buffer.from(inOrder).toString('hex').match(/.{4}/g) ?? []
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1)
}

/** How an address of IPv4 begins as one of IPv6. */
const mapped = '00000000000000000000ffff'
