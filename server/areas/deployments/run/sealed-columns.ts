import { z } from 'zod'
import { conflict } from '../../../errors.ts'
import type { Trx } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { readApplicationConfig } from '../../applications/config.ts'
import { computeRevision } from '../../applications/config.ts'
import type { Context } from '../../../context.ts'
import type { Deployment } from './store.ts'
import { freezeConfig } from '../../applications/changes/frozen-config.ts'

type Scope = Pick<Context, 'secrets'>

export const deploymentEnvSealContext = (id: string) => `deployments.env_sealed:${id}`
export const deploymentComposeSealContext = (id: string) => `deployments.compose_sealed:${id}`
const errorsSealContext = (id: string) => `deployments.errors_sealed:${id}`
/** Bound to the deployment: which step fails is known only when it is written. */
const stepErrorSealContext = (id: string) => `deployment_steps.error_sealed:${id}`

/** Seals the error and the last log lines, which may contain secrets. */
export const sealErrors = ({ secrets }: Scope, id: Deployment['id'], errors: string[]): string | null =>
  errors.length === 0 ? null : secrets.seal(errorsSealContext(id), JSON.stringify(errors))

export const openErrors = (
  { secrets }: Scope,
  { id, errors_sealed: sealed }: Pick<Deployment, 'id' | 'errors_sealed'>,
): string[] =>
  sealed === null ? [] : z.array(z.string()).parse(JSON.parse(secrets.open(errorsSealContext(id), sealed)))

export const sealStepError = ({ secrets }: Scope, id: Deployment['id'], error: string): string =>
  secrets.seal(stepErrorSealContext(id), error)

export const openStepError = ({ secrets }: Scope, id: Deployment['id'], sealed: string | null) =>
  sealed === null ? null : secrets.open(stepErrorSealContext(id), sealed)

export async function freezeConfiguration(
  ctx: Context,
  trx: Trx,
  application: ApplicationRow,
  { id, revision }: { id: Deployment['id']; revision: string | undefined },
) {
  const configured = await readApplicationConfig(ctx, trx, application)
  const { config, env, compose } = configured
  if (revision !== undefined && revision !== computeRevision(ctx, configured))
    throw configurationChanged(application)
  return {
    build: config.build,
    columns: {
      ...freezeConfig(ctx, 'deployments', id, config),
      env_sealed: ctx.secrets.seal(deploymentEnvSealContext(id), JSON.stringify(env)),
      compose_sealed: compose && ctx.secrets.seal(deploymentComposeSealContext(id), JSON.stringify(compose)),
    },
  }
}

/** The approval covers only what the plan showed. */
const configurationChanged = ({ name }: ApplicationRow) =>
  conflict(
    'changed_since',
    `The configuration of ${name} changed since you reviewed the plan. Review the plan again.`,
  )
