import * as contract from '../../../contract/compose.ts'
import { route } from '../../route.ts'
import { checkFile } from './check-file.ts'

export const routes = [route(contract.checkCompose, async (_ctx, { body }) => checkFile(body.compose, body))]
