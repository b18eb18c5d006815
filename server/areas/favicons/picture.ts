export interface Picture {
  type: string
  content: Buffer
}

/**
 * Reads the type from the content, because the type that a server sends cannot be trusted. Undefined for content that
 * is not a picture, and for pictures that would freeze a browser.
 */
export function detectPictureType(content: Buffer): string | undefined {
  const start = content.subarray(0, 16).toString('hex')
  const known = signatures.find(([signature]) => signature.test(start))
  if (known) return isTooLarge(content, known[1]) ? undefined : known[1]
  const text = content
    .subarray(0, 1_024)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart()
  return /^(<\?xml|<!--|<!DOCTYPE svg|<svg)/i.test(text) && /<svg[\s>]/i.test(text) && isLightSvg(content)
    ? 'image/svg+xml'
    : undefined
}

const mostPixels = 2_048

/** Returns whether a picture has too many pixels, because a few bytes can decode to gigabytes. */
function isTooLarge(content: Buffer, type: string): boolean {
  if (content.length < 24) return true
  const icon = type === 'image/x-icon'
  for (let at = content.indexOf(pngHeader); at !== -1; at = icon ? content.indexOf(pngHeader, at + 1) : -1) {
    if (content.length < at + 24) return true
    if (Math.max(content.readUInt32BE(at + 16), content.readUInt32BE(at + 20)) > mostPixels) return true
  }
  return type === 'image/gif' && Math.max(content.readUInt16LE(6), content.readUInt16LE(8)) > mostPixels
}

const pngHeader = Buffer.from('89504e470d0a1a0a', 'hex')

const mostSvgBytes = 32_768
const mostReferences = 6

/**
 * Returns whether an SVG is cheap to draw. References to parts that contain further references multiply: an SVG of one
 * kilobyte can freeze a browser.
 */
function isLightSvg(content: Buffer): boolean {
  const text = content.toString('utf8')
  if (content.length > mostSvgBytes || disguises.test(text) || heavyElements.test(text)) return false
  const paints = /<(?:[\w.-]+:)?pattern\b/i.test(text) ? text : text.replaceAll(gradientPaint, '')
  const references = [...paints.matchAll(reference)].length
  return references <= (/<(?:[\w.-]+:)?style\b/i.test(text) ? 0 : mostReferences)
}

/** Matches ways to hide a reference: entities, CSS escapes, style sheets, other encodings. */
const disguises =
  // oxlint-disable-next-line no-control-regex -- control characters reveal other encodings
  /<!ENTITY|<!DOCTYPE[^>]*\[|&#|\\|<\?xml-stylesheet|encoding\s*=\s*["'](?!utf-8["'])|[\u0000-\u0008\u000e-\u001f]/i
const heavyElements = /<(?:[\w.-]+:)?(?:animate\w*|set|foreignObject|image|feImage|link)\b/i
/** Matches references to gradients, which are cheap unless the SVG has patterns. */
const gradientPaint = /\b(?:fill|stroke)\s*[:=]\s*["']?\s*url\(/gi
/** Matches references, which an SVG with a style sheet must not have: a rule can apply one to all elements. */
const reference = /url\s*\(|<(?:[\w.-]+:)?use\b/gi

/** Each format is recognized by its first bytes, in hexadecimal. */
const signatures: [RegExp, string][] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^00000100/, 'image/x-icon'],
  [/^474946383[79]61/, 'image/gif'],
  [/^ffd8ff/, 'image/jpeg'],
  [/^52494646.{8}57454250/, 'image/webp'],
]

/** Finds the icons that an HTML page links, scalable ones first. */
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
