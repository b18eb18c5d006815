const longest = 40

/** The name where only plain letters go: containers, volumes, generated addresses. */
export function slugOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
  return trimmed(withoutAddress(trimmed(plain).slice(0, longest))) || 'app'
}

/** The n-th of those that would be called the same. */
export function numbered(slug: string, n: number): string {
  const end = n === 1 ? '' : `-${n}`
  return withoutAddress(`${trimmed(slug.slice(0, longest - end.length))}${end}`)
}

const trimmed = (text: string) => text.replaceAll(/^-+|-+$/g, '')

/** Four numbers in a row would be read as an address of their own by the DNS that generated addresses are for. */
const withoutAddress = (slug: string) =>
  /(?:^|-)\d{1,3}(?:-\d{1,3}){3}(?:-|$)/.test(slug) ? slug.replaceAll(/(?<=\d)-(?=\d)/g, '') : slug
