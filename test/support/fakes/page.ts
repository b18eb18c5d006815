interface PageSize {
  /** Name of the parameter. */
  parameter?: string
  size: number
  most: number
  invalid: (parameter: string) => Error
}

/** One page of a list, by number. */
export function pageOf<T>(url: URL, all: T[], { parameter = 'per_page', size, most, invalid }: PageSize) {
  const number = (name: string, otherwise: number) => {
    const given = url.searchParams.get(name) ?? String(otherwise)
    if (!/^[1-9]\d{0,8}$/.test(given)) throw invalid(name)
    return Number(given)
  }
  const perPage = Math.min(number(parameter, size), most)
  const page = number('page', 1)
  const last = Math.max(1, Math.ceil(all.length / perPage))
  const linkTo = (to: number) => {
    const link = new URL(url)
    link.searchParams.set('page', String(to))
    return link.href
  }
  return { items: all.slice((page - 1) * perPage, page * perPage), page, perPage, last, linkTo }
}
