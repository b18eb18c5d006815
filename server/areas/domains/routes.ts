import * as contract from '../../../contract/domains.ts'
import * as hostNames from '../../../contract/host-names.ts'
import { successReply, route } from '../../route.ts'
import { addDomain } from './add-domain.ts'
import { changeDomain, removeDomain } from './change-domain.ts'
import { checkDns } from './check-dns.ts'
import { listDomains } from './domain.ts'
import { listAllHostNames, releaseHostName } from './instance-host-names.ts'
import { verifyDomain } from './verify-domain.ts'
import { removeCertificate, requestOrder, uploadCertificate } from './uploaded-certificate.ts'

export const routes = [
  route(contract.listDomains, (ctx, { caller, params }) => listDomains(ctx, caller, params.id)),
  route(contract.checkDns, async (ctx, { caller, params }) => ({
    problem: await checkDns(ctx, caller, params),
  })),
  route(contract.createDomain, async (ctx, { caller, params, body }) => ({
    domain: await addDomain(ctx, caller, params.id, body),
  })),
  route(contract.updateDomain, async (ctx, { caller, params, body }) => ({
    domain: await changeDomain(ctx, caller, params, body),
  })),
  route(contract.deleteDomain, async (ctx, { caller, params }) => {
    await removeDomain(ctx, caller, params)
    return successReply
  }),
  route(contract.verifyDomain, async (ctx, { caller, params }) => ({
    domain: await verifyDomain(ctx, caller, params),
  })),
  route(contract.uploadCertificate, async (ctx, { caller, params, body }) => ({
    domain: await uploadCertificate(ctx, caller, params, body),
  })),
  route(contract.removeCertificate, async (ctx, { caller, params }) => ({
    domain: await removeCertificate(ctx, caller, params),
  })),
  route(hostNames.listHostNames, (ctx, { query }) => listAllHostNames(ctx, query)),
  route(hostNames.releaseHostName, async (ctx, { caller, params }) => {
    await releaseHostName(ctx, caller, params.host)
    return successReply
  }),
  route(contract.orderCertificate, async (ctx, { caller, params }) => ({
    domain: await requestOrder(ctx, caller, params),
  })),
]
