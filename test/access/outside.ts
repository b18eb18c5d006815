import { roomyEnv } from '../support/factories/billing-factories.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'
import { startFakeDockerHub } from '../support/fakes/docker-hub.ts'
import { startFakeGitHub } from '../support/fakes/github.ts'
import { startFakeStripe } from '../support/fakes/stripe.ts'

/** All services that endpoints may call. */
export async function startOutside() {
  const github = await startFakeGitHub()
  const hub = await startFakeDockerHub()
  hub.add({ path: 'library/nginx' })
  const hetzner = await startFakeHetzner()
  const stripe = await startFakeStripe()
  return {
    github,
    hetzner,
    stripe,
    env: { ...github.env, ...hub.env, ...hetzner.env, ...roomyEnv(stripe) },
    async close() {
      for (const fake of [github, hub, hetzner, stripe]) await fake.close()
    },
  }
}
