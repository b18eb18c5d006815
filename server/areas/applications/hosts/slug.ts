const longest = 40

export function toSlug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
  return trimmed(withoutAddress(trimmed(plain).slice(0, longest))) || 'app'
}

export function toNumberedSlug(slug: string, n: number): string {
  const end = n === 1 ? '' : `-${n}`
  return withoutAddress(`${trimmed(slug.slice(0, longest - end.length))}${end}`)
}

const trimmed = (text: string) => text.replaceAll(/^-+|-+$/g, '')

/** sslip.io would read four numbers in a row as an IP address. */
const withoutAddress = (slug: string) =>
  /(?:^|-)\d{1,3}(?:-\d{1,3}){3}(?:-|$)/.test(slug) ? slug.replaceAll(/(?<=\d)-(?=\d)/g, '') : slug
