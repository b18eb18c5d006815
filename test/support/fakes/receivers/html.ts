const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Parses HTML as strictly as Telegram: only these tags, well nested, and four entities; undefined if it is invalid. */
export function readHtml(html: string, tags: string[]): { text: string; links: string[] } | undefined {
  const open: string[] = []
  const links: string[] = []
  let text = ''
  for (const [piece, closing, name = '', attribute, entity] of html.matchAll(
    /<(\/?)([a-z]+)(?: href="([^"<>]*)")?>|&(\w+);|[^]/g,
  )) {
    if (entity !== undefined) {
      const sign = entities[entity]
      if (sign === undefined) return undefined
      text += sign
    } else if (piece.length === 1 && name === '') {
      if (piece === '<' || piece === '>' || piece === '&') return undefined
      text += piece
    } else if (!tags.includes(name)) return undefined
    else if (closing) {
      if (open.pop() !== name) return undefined
    } else {
      open.push(name)
      if (attribute !== undefined) links.push(attribute.replaceAll('&amp;', '&'))
    }
  }
  return open.length === 0 ? { text, links } : undefined
}
