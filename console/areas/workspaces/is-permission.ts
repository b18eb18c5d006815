import { type Permission, permissions } from '../../../contract/permissions.ts'

export const isPermission = (name: string): name is Permission => name in permissions
