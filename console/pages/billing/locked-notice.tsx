import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { PaymentOverdueNotice } from '../../areas/billing/payment-overdue-notice.tsx'
import { isPaymentOverdue } from '../../areas/billing/plan-labels.ts'
import { billingQuery } from '../../areas/billing/queries.ts'
import { wasLockedAtCreation } from '../../areas/workspaces/is-locked.ts'
import { OwnerNames } from '../../areas/workspaces/owner-names.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { Notice } from '../../ui/notice.tsx'

/** Explains why the workspace is restricted and who can change that. */
export function LockedNotice() {
  const workspace = useWorkspace()
  const { name, role, subscription } = workspace
  const owns = roleAllows(role, 'billing.manage')
  const { data: billing } = useQuery({ ...billingQuery, enabled: owns })
  const owed = subscription !== null && isPaymentOverdue(subscription)
  if (owed && billing?.subscription) return <PaymentOverdueNotice subscription={billing.subscription} />
  if (wasLockedAtCreation(workspace)) return <FirstPlanNotice name={name} owns={owns} />
  return (
    <Notice
      tone={owed ? 'red' : 'yellow'}
      title={
        owed ? 'A payment is overdue' : subscription === null ? 'The trial has ended' : 'The plan has ended'
      }
    >
      <Sentences>
        Applications keep running and nothing in <bdi className="font-medium">{name}</bdi> is deleted. To
        deploy and make changes again,{' '}
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

/** Each user has one trial; later workspaces need a plan from the start. */
const FirstPlanNotice = ({ name, owns }: { name: string; owns: boolean }) => (
  <Notice tone="yellow" title={owns ? `Choose a plan for ${name}` : `${name} has no plan yet`}>
    <Sentences>
      {owns ? (
        'Your trial has already been used. Choose a plan to add servers and deploy.'
      ) : (
        <>
          An owner must choose a plan before you can add servers and deploy: ask <OwnerNames />.
        </>
      )}
    </Sentences>
  </Notice>
)

const Sentences = ({ children }: { children: ReactNode }) => <p>{children}</p>
