import type { Call, Route } from '../answer.ts'
import { aclsOf, page, refuse } from './answers.ts'
import { plans, regions, systems } from './catalogue.ts'

function lookAtAccount(call: Call) {
  return {
    status: 200,
    body: {
      account: {
        name: call.account,
        email: `${call.account}@example.com`,
        acls: aclsOf(call),
        balance: -100.55,
        pending_charges: 60.25,
        last_payment_date: '2026-10-10T01:56:20+00:00',
        last_payment_amount: -1.25,
      },
    },
  }
}

/** All types, or one. */
const plansOf = ({ url }: Call) => {
  const type = url.searchParams.get('type') ?? 'all'
  return plans.filter((plan) => type === 'all' || plan.type === type)
}

function listAvailable(call: Call) {
  const region = call.params['region'] ?? ''
  if (!regions.some(({ id }) => id === region)) throw refuse(400, 'Invalid region.')
  return {
    status: 200,
    body: {
      available_plans: plansOf(call)
        .filter(
          ({ id, locations }) => locations.includes(region) && !call.state.soldOut.has(`${id}@${region}`),
        )
        .map(({ id }) => id),
    },
  }
}

export const listRoutes: Route[] = [
  { method: 'GET', path: '/v2/account', deed: 'look', answer: lookAtAccount },
  {
    method: 'GET',
    path: '/v2/regions',
    deed: 'list',
    answer: (call) => page(call, 'regions', regions, (region) => region),
  },
  { method: 'GET', path: '/v2/regions/:region/availability', deed: 'list', answer: listAvailable },
  {
    method: 'GET',
    path: '/v2/plans',
    deed: 'list',
    answer: (call) => page(call, 'plans', plansOf(call), (plan) => plan),
  },
  { method: 'GET', path: '/v2/os', deed: 'list', answer: (call) => page(call, 'os', systems, (os) => os) },
]
