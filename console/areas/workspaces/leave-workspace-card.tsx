import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LeaveWorkspaceDialog } from './leave-workspace-dialog.tsx'
import { isOnlyOwner } from './can-manage-member.ts'
import { membersQuery } from './members.ts'

export function LeaveWorkspaceCard({ me }: { me: string }) {
  const { data: members = [] } = useInfiniteQuery(membersQuery)
  const [asked, setAsked] = useState(false)
  const member = members.find(({ user_id: user }) => user === me)
  const stuck = member && isOnlyOwner(member, members)
  return (
    <Card
      title="Leave this workspace"
      footer={
        <>
          {stuck ? 'You are the only owner.' : 'You stay in your other workspaces.'}
          <Button disabled={!member || stuck} onClick={() => setAsked(true)}>
            Leave workspace
          </Button>
        </>
      }
    >
      <p className="text-muted">
        {stuck
          ? 'A workspace needs an owner. Make another member an owner first, or delete the workspace.'
          : 'You lose access immediately and need a new invite to return.'}
      </p>
      {asked && member && <LeaveWorkspaceDialog memberId={member.id} onClose={() => setAsked(false)} />}
    </Card>
  )
}
