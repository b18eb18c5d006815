import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { may } from '../../../contract/shared/permissions.ts'
import { OwedNotice } from '../../areas/billing/owed-notice.tsx'
import { isOwed } from '../../areas/billing/plan-words.ts'
import { billingQuery } from '../../areas/billing/queries.ts'
import { isBornLocked } from '../../areas/workspaces/is-locked.ts'
import { OwnerNames } from '../../areas/workspaces/owner-names.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { Notice } from '../../ui/notice.tsx'

/** Why nothing but the plans is open, what that does not touch, and who can change it. */
export function LockedNotice() {
  const workspace = useWorkspace()
  const { name, role, subscription } = workspace
  const owns = may(role, 'billing.manage')
  const { data: billing } = useQuery({ ...billingQuery, enabled: owns })
  const owed = subscription !== null && isOwed(subscription)
  if (owed && billing?.subscription) return <OwedNotice subscription={billing.subscription} />
  if (isBornLocked(workspace)) return <FirstPlanNotice name={name} owns={owns} />
  return (
    <Notice
      tone={owed ? 'red' : 'yellow'}
      title={
        owed ? 'A payment is owed' : subscription === null ? 'The trial has ended' : 'The plan has ended'
      }
    >
      <Sentences>
        Applications keep running, and nothing of <bdi className="font-medium">{name}</bdi> is deleted. To
        deploy and change things again{' '}
        {owns ? (
          <>choose a plan.</>
        ) : (
          <>
            an owner has to {owed ? 'pay' : 'choose a plan'}: ask <OwnerNames />.
          </>
        )}
      </Sentences>
    </Notice>
  )
}

/** One trial is all that a person has: what they make after it begins with a plan. */
const FirstPlanNotice = ({ name, owns }: { name: string; owns: boolean }) => (
  <Notice tone="yellow" title={owns ? `Choose a plan for ${name}` : `${name} has no plan yet`}>
    <Sentences>
      {owns ? (
        'Your trial has ended with your first workspace. To add servers and deploy here, choose a plan.'
      ) : (
        <>
          To add servers and deploy here, an owner has to choose a plan: ask <OwnerNames />.
        </>
      )}
    </Sentences>
  </Notice>
)

const Sentences = ({ children }: { children: ReactNode }) => <p>{children}</p>
