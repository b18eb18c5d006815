import { type Attempt, Failed, hostFor } from './attempt.ts'

/** What is led to an application comes through the proxy. */
export async function mustHaveProxy(attempt: Attempt): Promise<void> {
  const { server, signal } = attempt
  const filters = JSON.stringify({ label: ['slipway.proxy'] })
  const query = new URLSearchParams({ all: '1', filters }).toString()
  const found = await hostFor(attempt).docker.json<unknown[]>({ path: `/containers/json?${query}`, signal })
  if (found.length === 0 || server.machine === null)
    throw new Failed(
      `There is no proxy on ${server.name}, through which its traffic would come. Set the server up again, then deploy.`,
    )
}
