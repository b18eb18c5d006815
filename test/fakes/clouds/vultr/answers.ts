import { type Answer, type Call, Refusal } from '../answer.ts'

export const refuse = (status: number, error: string) => new Refusal(status, { error, status })
export const forbidden = () => refuse(403, 'You are not authorized to perform this operation.')

const everything = [
  'manage_users',
  'subscriptions_view',
  'subscriptions',
  'provisioning',
  'billing',
  'support',
  'abuse',
  'dns',
  'upgrade',
  'objstore',
  'loadbalancer',
  'firewall',
  'alerts',
]

/** What the user of a key may do. Keys have no rights of their own. */
export function aclsOf({ rights }: Pick<Call, 'rights'>): string[] {
  if (Array.isArray(rights)) return rights
  return rights === 'all' ? everything : ['subscriptions_view']
}

/** Whoever may manage users may do everything. */
export function need(call: Call, ...oneOf: string[]): void {
  if (!aclsOf(call).some((acl) => acl === 'manage_users' || oneOf.includes(acl))) throw forbidden()
}

const cursorOf = (way: 'next' | 'prev', at: number) => Buffer.from(`${way}__${at}`).toString('base64')

/** One page of a list. The way to the others is a cursor, or empty. */
export function page<T>({ url, state }: Call, key: string, all: T[], show: (one: T) => object): Answer {
  const asked = url.searchParams.get('per_page') ?? '100'
  if (!/^[1-9]\d*$/.test(asked) || Number(asked) > 500) throw refuse(400, 'Invalid per_page value.')
  const size = Math.min(Number(asked), state.mostPerPage)
  const from = startOf(url.searchParams.get('cursor') ?? '')
  return {
    status: 200,
    body: {
      [key]: all.slice(from, from + size).map(show),
      meta: {
        total: all.length,
        links: {
          next: from + size < all.length ? cursorOf('next', from + size) : '',
          prev: from > 0 ? cursorOf('prev', Math.max(0, from - size)) : '',
        },
      },
    },
  }
}

function startOf(cursor: string): number {
  if (cursor === '') return 0
  const [, at] = /^(?:next|prev)__(\d+)$/.exec(Buffer.from(cursor, 'base64').toString()) ?? []
  if (at === undefined) throw refuse(400, 'Invalid cursor.')
  return Number(at)
}

/** It tells times without milliseconds, and as ISO 8601 with an offset. */
export const timeOf = (date: Date) => `${date.toISOString().slice(0, 19)}+00:00`
