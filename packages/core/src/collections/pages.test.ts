import { describe, expect, it } from 'vitest'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { advance } from '../../test/clientsInFakeTime.ts'
import { json } from '../../test/createFakeService.ts'
import { serviceInFakeTime } from '../../test/serviceInFakeTime.ts'
import { watchBalances } from '../operations/balances.ts'

const { service, create } = serviceInFakeTime()

describe('the other fields of pages', () => {
  const tokenError = (chain_id: number) => ({ chain_id, address: 'native', description: 'No' })
  const warning = (code: string) => ({ code, message: `Message ${code}` })

  it('are merged, without duplicate warnings', async () => {
    const tokenErrors = [tokenError(1), tokenError(2), undefined, tokenError(4)]
    service.respond = (count) => {
      const error = tokenErrors[count - 1]
      return json({
        ...balancesResponse(balance({ chain_id: count })),
        warnings: [warning('ALL'), warning(String(count))],
        ...(error && { errors: { error_message: 'Some.', token_errors: [error] } }),
        ...(count < 4 && { next_offset: String(count) }),
        response_time: 'now',
      })
    }
    const stream = watchBalances(create(), { address }, { refetchInterval: false })
    stream.subscribe()
    await advance(0)
    expect(stream.getSnapshot()).toMatchObject({ response_time: 'now' })
    void stream.getSnapshot().fetchAll()
    await advance(0)
    const { warnings, errors } = stream.getSnapshot()
    expect(warnings.map(({ code }) => code)).toEqual(['ALL', '1', '2', '3', '4'])
    expect(errors).toEqual({
      error_message: 'Some.',
      token_errors: [tokenError(1), tokenError(2), tokenError(4)],
    })
  })
})
