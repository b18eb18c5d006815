/** For lists that answer `{ …, page: { next, total } }`. */
export const firstPage: string | undefined = undefined

export const nextPage = (last: { page: { next: string | null } }) => last.page.next ?? undefined

/** The first page is short, to be there at once; whoever wants more of it wants much more. */
export const pageAt = (cursor: string | undefined) => ({ cursor, limit: cursor === undefined ? 50 : 200 })
