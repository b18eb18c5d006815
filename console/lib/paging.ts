/** For lists that answer `{ …, page: { next, total } }`. */
export const firstPage: string | undefined = undefined

export const nextPage = (last: { page: { next: string | null } }) => last.page.next ?? undefined
