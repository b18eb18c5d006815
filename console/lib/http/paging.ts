/** For lists with `page: { next, total }`. */
export const firstPage: string | undefined = undefined

export const nextPage = (last: { page: { next: string | null } }) => last.page.next ?? undefined

/** The first page is small to load fast; later pages are larger. */
export const pageParams = (cursor: string | undefined) => ({ cursor, limit: cursor === undefined ? 50 : 200 })
