import type { ReactNode } from 'react'
import { serverPath } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { describeCrash } from './application-status.ts'
import type { Application, ApplicationDetails } from './queries.ts'

interface ApplicationNoticeProps {
  application: ApplicationDetails
  crashed: readonly string[] | undefined
  onPutBack: (() => void) | undefined
  puttingBack: boolean
  onRollBack: (() => void) | undefined
}

export function ApplicationNotice(props: ApplicationNoticeProps) {
  const { application, crashed, onPutBack, puttingBack, onRollBack } = props
  const { name, state, reason, server, drift, maintenance, proxy_error: proxyError } = application
  const partly = application.source.services !== null && state !== 'failed' && state !== 'crashing'
  if (state === 'unknown')
    return (
      <Notice
        tone="yellow"
        title={`Status of ${name} is unknown`}
        action={<ButtonLink to={serverPath(server.id)}>Open {server.name}</ButtonLink>}
      >
        {reason ?? `Cannot reach ${server.name}.`} The application may still be running.
      </Notice>
    )
  return (
    <>
      {crashed && state !== 'stopped' && (
        <Notice
          tone={partly ? 'yellow' : 'red'}
          title={partly ? `A service of ${name} crashed after deploying` : `${name} crashed after deploying`}
          action={onRollBack && <Button onClick={onRollBack}>Roll back…</Button>}
        >
          <Sentences>{crashed}</Sentences>
        </Notice>
      )}
      {!crashed &&
        drift.length === 0 &&
        (state === 'failed' || state === 'crashing' || state === 'degraded') && (
          <Notice
            tone={state === 'degraded' ? 'yellow' : 'red'}
            title={`${name} ${problems[state]}`}
            action={state === 'crashing' && onRollBack && <Button onClick={onRollBack}>Roll back…</Button>}
          >
            {reason ?? 'Check the containers and logs.'}
          </Notice>
        )}
      {proxyError !== null && (
        <Notice
          tone="yellow"
          title="Domains and ports are out of date"
          action={<ButtonLink to={serverPath(server.id)}>Open {server.name}</ButtonLink>}
        >
          {proxyError}
        </Notice>
      )}
      {drift.length > 0 && (
        <Notice
          tone={state === 'failed' || state === 'crashing' ? 'red' : 'yellow'}
          title={driftTitle(name, crashed ? 'running' : state)}
          action={
            onPutBack && (
              <Button pending={puttingBack && 'Reverting…'} onClick={onPutBack}>
                Revert changes
              </Button>
            )
          }
        >
          <Sentences>{drift}</Sentences>
        </Notice>
      )}
      {maintenance && (
        <Notice tone="yellow" title="Maintenance page enabled">
          Visitors see the maintenance page instead of {name}. Turn off the maintenance page in Settings.
        </Notice>
      )}
    </>
  )
}

const problems = { failed: 'is not running', crashing: 'is crashing', degraded: 'is degraded' }

/** A manual change is the most likely reason that an application is not running, so one notice covers both. */
function driftTitle(name: string, state: ApplicationDetails['state']): string {
  if (state === 'failed') return `${name} is not running after a manual change on the server`
  if (state === 'degraded') return `${name} is degraded after a manual change on the server`
  return `${name} was changed manually on the server`
}

const Sentences = ({ children }: { children: readonly string[] }): ReactNode =>
  children.map((sentence, index) => (
    // oxlint-disable-next-line no-array-index-key -- sentences have no ID and no state
    <p key={index} className="whitespace-pre-wrap">
      {sentence}
    </p>
  ))

interface ChangedBarProps {
  release: Application['release']
  /** The current configuration is that of this release, so a deployment would repeat the crash. */
  crashed: ApplicationDetails['crashed_release']
  onShow: () => void
  onReset: (() => void) | undefined
}

export const UndeployedChangesBar = ({ release, crashed, onShow, onReset }: ChangedBarProps) => (
  <Notice
    tone="neutral"
    title={release?.older ? `Rolled back to release ${release.number}` : 'Undeployed changes'}
    action={
      <>
        <Button onClick={onShow}>View changes</Button>
        {onReset && <Button onClick={onReset}>Reset configuration…</Button>}
      </>
    }
  >
    {crashed
      ? `The current configuration is from release ${crashed.number}, which crashed. Reset the configuration to release ${release?.number} or change it before you deploy.`
      : release?.older
        ? 'Deploy to apply the current configuration.'
        : 'Deploy to apply the changes.'}
  </Notice>
)

interface CrashedReleaseNoticeProps {
  application: ApplicationDetails
  /** `onReset` is undefined if there is nothing to reset or the user lacks the permission. */
  onReset: (() => void) | undefined
}

/** Warns, in dialogs that deploy, that the deployment would repeat a crash. */
export const CrashedReleaseNotice = ({ application, onReset }: CrashedReleaseNoticeProps) =>
  application.crashed_release && (
    <Notice
      tone="red"
      title={`Release ${application.crashed_release.number} crashed`}
      action={onReset && <Button onClick={onReset}>Reset configuration…</Button>}
    >
      {describeCrash(application, application.crashed_release)}
    </Notice>
  )
