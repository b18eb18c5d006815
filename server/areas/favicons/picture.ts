export interface Picture {
  type: string
  content: Buffer
}

/**
 * Reads the type from the content, because the type that a server claims cannot be trusted. Undefined for anything
 * but a picture.
 */
export function detectPictureType(content: Buffer): string | undefined {
  const start = content.subarray(0, 16).toString('hex')
  const known = signatures.find(([signature]) => signature.test(start))
  if (known) return known[1]
  const text = content
    .subarray(0, 1_024)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  return /^(<\?xml|<!--|<!DOCTYPE svg|<svg)/i.test(text) && /<svg[\s>]/i.test(text)
    ? 'image/svg+xml'
    : undefined
}

/** Each format is recognized by its first bytes, in hexadecimal. */
const signatures: [RegExp, string][] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^00000100/, 'image/x-icon'],
  [/^474946383[79]61/, 'image/gif'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^52494646.{8}57454250/, 'image/webp'],
]

/** Finds the icons of an HTML page, scalable ones first. */
export function findIconLinks(html: string): string[] {
  const icons: string[] = []
  for (const [tag] of html.matchAll(/<link\b[^<>]*>/gi)) {
    const rel = attribute(tag, 'rel')?.toLowerCase().split(/\s+/) ?? []
    const href = attribute(tag, 'href')
    if (href && rel.includes('icon')) icons.push(href.replaceAll('&amp;', '&'))
  }
  return icons.toSorted((a, b) => Number(isSvg(b)) - Number(isSvg(a)))
}

const isSvg = (href: string) => /\.svg(\?|$)/i.test(href)

function attribute(tag: string, name: string): string | undefined {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag)
  return found?.[1] ?? found?.[2] ?? found?.[3]
}
