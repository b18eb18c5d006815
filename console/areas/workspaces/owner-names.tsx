import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { membersQuery } from './members.ts'

const most = 5

export function OwnerNames() {
  const { data: members = [] } = useInfiniteQuery(membersQuery)
  const owners = members.filter(({ role }) => role === 'owner').slice(0, most)
  if (owners.length === 0) return 'a workspace owner'
  return owners.map(({ id, name }, index) => (
    <Fragment key={id}>
      {index > 0 && (index === owners.length - 1 ? ' or ' : ', ')}
      <bdi className="font-medium wrap-anywhere">{name}</bdi>
    </Fragment>
  ))
}
