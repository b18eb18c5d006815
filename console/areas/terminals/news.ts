import type { Api } from '../../../contract/api.ts'
import type { Reply } from '../../../contract/endpoint.ts'

export type News = Reply<Api['GET /v1/servers/{id}/terminal']>

// oxlint-disable-next-line no-unsafe-type-assertion -- the server sends nothing but what this schema allows
export const readNews = (text: string) => JSON.parse(text) as News
