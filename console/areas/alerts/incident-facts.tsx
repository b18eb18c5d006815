import type { ReactNode } from 'react'
import { type AlertKind, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import { DateTime, Time } from '../../ui/time.tsx'
import { formatElapsed } from '../../ui/format/elapsed.ts'
import { isMuted } from './alert-texts.ts'
import type { IncidentDetails } from './queries.ts'
import { SubjectLink } from './subject-link.tsx'

interface Fact {
  term: string
  value: ReactNode
}

export function incidentFacts(incident: IncidentDetails): Fact[] {
  const {
    subject,
    started_at: started,
    resolved_at: resolved,
    resolved_reason: reason,
    muted_until: muted,
  } = incident
  const values = formatValue(incident)
  return [
    { term: nouns[subject.kind], value: <SubjectLink subject={subject} /> },
    ...(values === undefined ? [] : [{ term: 'Value', value: values }]),
    {
      term: 'Started',
      value: (
        <>
          <DateTime at={started} /> (<Time at={started} />)
        </>
      ),
    },
    ...(resolved === null
      ? []
      : [
          {
            term: 'Resolved',
            value: (
              <>
                <DateTime at={resolved} />, after {formatElapsed(started, resolved)}
              </>
            ),
          },
        ]),
    ...(reason === null ? [] : [{ term: 'Resolution', value: reason }]),
    ...(muted !== null && isMuted(muted) ? [{ term: 'Muted until', value: <DateTime at={muted} /> }] : []),
  ]
}

const nouns = {
  server: 'Server',
  container: 'Container',
  application: 'Application',
  certificate: 'Certificate',
}

const numbers = new Intl.NumberFormat('en', { maximumFractionDigits: 2 })

/** For example "91 % (threshold 85 %)"; undefined for boolean conditions. */
function formatValue({ kind, value, threshold }: IncidentDetails): string | undefined {
  const { unit }: AlertKind = alertKinds[kind]
  if (value === null || unit === undefined) return undefined
  const said = (number: number) => `${numbers.format(number)}${words[unit]}`
  return threshold === null ? said(value) : `${said(value)} (threshold ${said(threshold)})`
}

const words = { percent: ' %', load: ' per core', times: ' times', days: ' days' }
