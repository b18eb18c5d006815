import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../errors.ts'
import { emit } from '../../events.ts'
import type { BuildConfig } from '../../tables.ts'
import { targetOf } from '../applications/application.ts'
import { GitHubLimited } from '../auth/github-errors.ts'
import { findIntegration, type Integration } from '../integrations/integration.ts'
import { type Commit, readBranch } from '../integrations/repository.ts'
import { type Attempt, Failed, Over, tellChange, writeAs } from './attempt.ts'
import { buildMessage } from './build-message.ts'
import { buildOf } from './source-work.ts'
import { updateDeployment } from './store.ts'

/** Milliseconds for which GitHub may have us wait. */
const longestWait = 60 * 60_000

/** The account at GitHub that its repository is reached by. */
export async function integrationOf(attempt: Attempt): Promise<Integration> {
  const { ctx, application } = attempt
  const { integration_id: id, repository } = buildOf(attempt)
  const integration = id && (await findIntegration(ctx.db, application.workspace_id, id))
  if (!integration)
    throw new Failed(
      `The account that ${repository} is reached by was disconnected. Connect it again under Integrations, choose it in the settings of ${application.name}, then deploy again.`,
    )
  return integration
}

/**
 * What is built: the newest commit of the branch, also where a push asked for an older one by now. It is written down, so that
 * whoever goes on builds the same.
 */
export async function resolveCommit(attempt: Attempt, integration: Integration): Promise<Commit> {
  const build = buildOf(attempt)
  const { commit: asked, tag } = attempt.deployment
  if (asked && tag === nameOf(build.repository, asked)) return asked
  // A tag stays what it is.
  const isFixed = asked !== null && asked.branch !== build.branch
  const commit = isFixed ? asked : await findHead(attempt, integration, build, asked)
  await writeDown(attempt, build, commit)
  return commit
}

async function findHead(
  attempt: Attempt,
  integration: Integration,
  build: BuildConfig,
  asked: Commit | null,
): Promise<Commit> {
  const { ctx, log } = attempt
  const { repository, branch } = build
  try {
    const { head, isSkipped } = await patiently(attempt, () => readBranch(ctx, integration, build, branch))
    if (!asked || !isSkipped) return head
    log.say(`The newest commit says [skip deploy], so what was pushed before it is built.`)
    return asked
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.status === 404)
      throw new Failed(
        `${repository} has no branch ${branch} any more, or Slipway may not see it. Choose another branch in the settings, or give Slipway access to the repository at GitHub; then deploy again.`,
      )
    if (!asked || error.code === 'github_access_lost') throw new Failed(error.message)
    log.say(`${error.message} What was pushed is built.`)
    return asked
  }
}

/** Where GitHub has had enough of us, that is said, and waited for. */
export async function patiently<T>(attempt: Attempt, ask: () => Promise<T>): Promise<T> {
  const { log, signal } = attempt
  const began = Date.now()
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof GitHubLimited)) throw error
      const pause = Math.max(1_000, error.retryAt.getTime() - Date.now())
      if (Date.now() - began + pause > longestWait) throw error
      log.say(`GitHub lets Slipway ask again at ${error.retryAt.toISOString().slice(11, 19)} UTC; waiting.`)
      await log.flush()
      await sleep(pause, undefined, { signal })
    }
  }
}

async function writeDown(attempt: Attempt, build: BuildConfig, commit: Commit): Promise<void> {
  const { application, deployment } = attempt
  const message = buildMessage(build, commit)
  attempt.deployment = await writeAs(attempt, async (trx) => {
    const now = await updateDeployment(trx, deployment.workspace_id, deployment.id, {
      commit: JSON.stringify(commit),
      message,
      tag: nameOf(build.repository, commit),
    })
    if (!now) throw new Over()
    if (deployment.commit?.sha !== commit.sha)
      await emit(
        trx,
        'slipway',
        deployment.workspace_id,
        'deployment.commit_found',
        targetOf(application),
        message,
      )
    await tellChange(trx, attempt)
    return now
  })
}

/** What its release is called. */
export const nameOf = (repository: string, { sha }: Commit) => `${repository}@${sha.slice(0, 7)}`
