import { z } from 'zod'
import * as contract from '../../../contract/home.ts'
import type { Area } from '../../area.ts'
import type { Context } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { defineJob } from '../../platform/jobs.ts'
import { ReplyWithHeaders, route } from '../../route.ts'
import { fetchDueFavicons } from './fetch-favicons.ts'

async function getFavicon({ db }: Context, key: string) {
  const row = await db
    .selectFrom('favicons')
    .select(['type', 'content'])
    .where('key', '=', key)
    .executeTakeFirst()
  if (!row?.content || row.type === null) throw notFound('This favicon')
  return new ReplyWithHeaders([row.content], {
    'content-type': row.type,
    'cache-control': 'public, max-age=31536000, immutable',
    // An SVG can contain scripts and links, so the browser must not open it as a page of the console.
    'content-disposition': 'attachment; filename="favicon"',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  })
}

const routes = [route(contract.getFavicon, (ctx, { params }) => getFavicon(ctx, params.key))]

const nothing = z.object({})

const jobs = [
  defineJob<Context, typeof nothing>('fetch-favicons', nothing, (ctx, _payload, { signal }) =>
    fetchDueFavicons(ctx, signal),
  ),
]

const schedules = [
  {
    name: 'fetch-favicons',
    everySeconds: 60,
    job: { kind: 'fetch-favicons', payload: {}, key: 'favicons', lane: 'poll' as const },
  },
]

export const faviconsArea: Area = { name: 'favicons', routes, jobs, schedules }
