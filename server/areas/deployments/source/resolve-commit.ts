import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import type { BuildConfig } from '../../../tables.ts'
import { applicationTarget } from '../../applications/application.ts'
import { GitHubLimited } from '../../auth/github-errors.ts'
import type { Commit } from '../../integrations/repository.ts'
import { atGitHub } from './ask-ahead.ts'
import { type Attempt, Failed, Over, tellChange, writeAs } from '../run/attempt.ts'
import { buildMessage } from './build-message.ts'
import { buildOf, buildWork } from './source-work.ts'
import { updateDeployment } from '../run/store.ts'

/** Milliseconds for which GitHub may have us wait. */
const longestWait = 60 * 60_000

/** What is built: the newest commit of the branch, also where a push asked for an older one by now. */
export async function findCommit(attempt: Attempt): Promise<Commit> {
  const build = buildOf(attempt)
  const { commit: asked } = attempt.deployment
  if (asked && isWrittenDown(attempt)) return asked
  // A tag stays what it is.
  const isFixed = asked !== null && asked.branch !== build.branch
  return isFixed ? asked : findHead(attempt, build, asked)
}

/** Whether it was found before: whoever goes on builds the same. */
function isWrittenDown(attempt: Attempt): boolean {
  const { commit, tag } = attempt.deployment
  return commit !== null && tag === nameOf(buildOf(attempt).repository, commit)
}

async function findHead(attempt: Attempt, build: BuildConfig, asked: Commit | null): Promise<Commit> {
  const { log } = attempt
  const { repository, branch } = build
  try {
    const { head, isSkipped } = await patiently(attempt, atGitHub(attempt).branch)
    if (!asked || !isSkipped) return head
    log.say('The latest commit has [skip deploy]. Building the previous push instead.')
    return asked
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.status === 404)
      throw new Failed(
        `The branch ${branch} of ${repository} does not exist, or Slipway has no access to it. Choose another branch in the settings, or grant access on GitHub; then deploy again.`,
      )
    if (!asked || error.code === 'github_access_lost') throw new Failed(error.message)
    log.say(`${error.message} Building the pushed commit.`)
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
      log.say(`GitHub rate limit reached. Waiting until ${error.retryAt.toISOString().slice(11, 19)} UTC.`)
      await log.flush()
      await sleep(pause, undefined, { signal })
    }
  }
}

/** So that whoever goes on builds the same; and that something of it may be left on the server, which is looked for until it is gone. */
export async function writeDown(
  attempt: Attempt,
  commit: Commit,
  { isBegun }: { isBegun: boolean },
): Promise<void> {
  const { application, deployment } = attempt
  const { workspace_id, id, followed } = deployment
  const build = buildOf(attempt)
  const message = buildMessage(build, commit)
  const changes = {
    ...(!isWrittenDown(attempt) && {
      commit: JSON.stringify(commit),
      message,
      tag: nameOf(build.repository, commit),
    }),
    ...(isBegun && followed === null && { followed: JSON.stringify({ work: buildWork(id), offset: 0 }) }),
  }
  if (Object.keys(changes).length === 0) return
  attempt.deployment = await writeAs(attempt, async (trx) => {
    const now = await updateDeployment(trx, workspace_id, id, changes)
    if (!now) throw new Over()
    if (deployment.commit?.sha !== commit.sha)
      await emit(
        trx,
        'slipway',
        workspace_id,
        'deployment.commit_found',
        { ...applicationTarget(application), about: id },
        message,
      )
    await tellChange(trx, attempt)
    return now
  })
}

/** What its release is called. */
export const nameOf = (repository: string, { sha }: Commit) => `${repository}@${sha.slice(0, 7)}`
