import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { AddressSpan, AddressText } from '../../lib/address.tsx'
import { Commit } from '../../lib/commit.tsx'
import { applicationPath, serverPath } from '../../paths.ts'
import { ansiCss } from '../../ui/ansi/ansi-css.ts'
import { parseAnsi, stripAnsi } from '../../ui/ansi/ansi.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { DateTime } from '../../ui/time.tsx'
import { DeploymentBadge, DeploymentDuration } from './deployment-badge.tsx'
import { deploymentType, hasCrashed } from './deployment-labels.ts'
import type { Deployment } from './queries.ts'

interface DeploymentFactsProps {
  deployment: Deployment
  fix: ReactNode
}

export function DeploymentFacts({ deployment, fix }: DeploymentFactsProps) {
  const {
    type,
    message,
    actor,
    waiting_for: waitingFor,
    created_at: queuedAt,
    started_at: from,
    finished_at: to,
  } = deployment
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
        <DeploymentBadge deployment={deployment} />
        {!message?.startsWith(deploymentType(type)) && <span>{deploymentType(type)}</span>}
        {message !== null && (
          <AddressSpan className="text-ink wrap-anywhere max-sm:line-clamp-1 max-sm:break-all">
            {message}
          </AddressSpan>
        )}
        <span>
          {from === null ? 'Queued at' : 'Started at'} <DateTime at={from ?? queuedAt} />
        </span>
        {from !== null && (
          <span>
            {to === null ? 'running for' : 'took'} <DeploymentDuration from={from} to={to} />
          </span>
        )}
        <span>
          by <bdi>{actor.name}</bdi>
        </span>
      </p>
      {waitingFor !== null && (
        <p>
          <AddressText>{waitingFor}</AddressText>
        </p>
      )}
      <Errors deployment={deployment} fix={fix} />
    </>
  )
}

export const DeploymentDetailsList = ({ deployment }: { deployment: Deployment }) => (
  <DefinitionList items={deploymentFacts(deployment)} dense />
)

function Errors({ deployment, fix }: DeploymentFactsProps) {
  const { errors } = deployment
  if (errors.length === 0) return null
  const count = printsOutput(deployment) ? 1 : errors.length
  const [sentences, lines] = [errors.slice(0, count).map(stripAnsi), errors.slice(count)]
  return (
    <section
      aria-label="Errors"
      className="flex flex-wrap items-start gap-2 rounded-md border border-red/40 bg-red-soft py-2 pr-2 pl-3"
    >
      <div className="flex min-h-7 min-w-0 flex-1 flex-col justify-center gap-1 wrap-anywhere">
        {hasCrashed(deployment) && (
          <p className="font-medium">
            {deployment.plan === null
              ? 'Crashed within minutes of going live'
              : 'A service crashed within minutes of going live'}
          </p>
        )}
        {sentences.map((error, index) => (
          // oxlint-disable-next-line no-array-index-key -- the errors of a deployment never change
          <p key={index} className="text-sm whitespace-pre-wrap">
            <AddressText revealable>{error}</AddressText>
          </p>
        ))}
        {lines.length > 0 && <LastLines lines={lines.flatMap((line) => line.split('\n'))} />}
      </div>
      <div className="flex shrink-0 flex-wrap items-center gap-1 empty:hidden max-sm:order-last max-sm:w-full">
        {fix}
      </div>
      <CopyButton text={errors.map(stripAnsi).join('\n')} label="Copy errors" />
    </section>
  )
}

/** Returns whether the errors after the first are output of a program. A failed check lists several errors of its own. */
const printsOutput = ({ steps }: Deployment) =>
  !steps.some(({ name, status }) => name === 'check' && status === 'failed')

/** Shows output of a container or build, scrolled to the end, because the last lines explain most. */
function LastLines({ lines }: { lines: readonly string[] }) {
  const box = useRef<HTMLPreElement>(null)
  useLayoutEffect(() => {
    // Newer browsers return a promise from `scrollTo`, which an effect must not return.
    box.current?.scrollTo(0, box.current.scrollHeight)
  }, [])
  return (
    <pre
      ref={box}
      aria-label="Last lines of output"
      // oxlint-disable-next-line no-noninteractive-tabindex -- the element scrolls, so the keyboard must reach it
      tabIndex={0}
      className="mt-1 max-h-30 overflow-y-auto font-mono text-xs leading-5 whitespace-pre-wrap"
    >
      {lines.map((line, index) => (
        // oxlint-disable-next-line no-array-index-key -- the errors of a deployment never change
        <span key={index} className="block min-h-5">
          {parseAnsi(line).map(({ text, style }, at) => (
            // oxlint-disable-next-line no-array-index-key -- the errors of a deployment never change
            <span key={at} style={ansiCss(style)}>
              {text}
            </span>
          ))}
        </span>
      ))}
    </pre>
  )
}

const deploymentFacts = ({ data: { tag }, commit, release, target, server }: Deployment) => [
  ...(commit === null ? [] : [{ term: 'Commit', value: <Commit commit={commit} branch /> }]),
  ...(tag === null || tag === ''
    ? []
    : [
        {
          term: 'Image',
          value: (
            <span className="inline-flex items-center gap-1 *:last:-my-1">
              <span className="font-mono text-sm" dir="ltr">
                {tag}
              </span>
              <CopyButton text={tag} label="Copy image" />
            </span>
          ),
        },
      ]),
  {
    term: 'Application',
    value: (
      <>
        <TextLink to={applicationPath(target.id)}>{target.name}</TextLink> on{' '}
        <TextLink to={serverPath(server.id)}>{server.name}</TextLink>
        {release !== null && `, release ${release.number}`}
      </>
    ),
  },
]
