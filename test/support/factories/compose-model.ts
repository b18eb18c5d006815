import { newestApiVersion } from '../../../server/remote/docker/api-version.ts'
import type { Model } from '../../../server/areas/compose/model.ts'
import { readModel } from '../../../server/areas/compose/read/read-model.ts'

/** Services as Docker Compose would print them, each with an image by default. */
export const modelOf = (
  services: Record<string, Record<string, unknown>>,
  more: Record<string, unknown> = {},
  env: Record<string, string> = {},
): Model =>
  readModel(
    {
      name: 'shop',
      services: Object.fromEntries(
        Object.entries(services).map(([name, service]) => [name, { image: 'nginx:1', ...service }]),
      ),
      ...more,
    },
    env,
    newestApiVersion,
  ).model
