import { type FormEvent, useState } from 'react'
import { isAddress } from '@headwater/demo-kit'

interface AddressFormProps {
  address: string
  onSubmit: (address: string) => void
}

/** The address input. Input takes effect on submit; the queries reject an invalid address. */
export function AddressForm({ address, onSubmit }: AddressFormProps) {
  const [shown, setShown] = useState(address)
  const [draft, setDraft] = useState(address)
  if (shown !== address) {
    setShown(address)
    setDraft(address)
  }
  const isInvalid = address !== '' && !isAddress(address)

  function submit(event: FormEvent) {
    event.preventDefault()
    onSubmit(draft.trim())
  }

  return (
    <form onSubmit={submit} noValidate>
      <label htmlFor="address">Wallet address</label>
      <div className="field">
        <input
          id="address"
          data-testid="address-input"
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
          aria-invalid={isInvalid}
          aria-describedby={isInvalid ? 'problem' : undefined}
          placeholder="0x…"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
        <button type="submit" className="primary" data-testid="address-submit">
          Show
        </button>
      </div>
    </form>
  )
}
