import type { FormEvent } from 'react'
import {
  chainChoices,
  type Config,
  type Link,
  openLink,
  parseChains,
  toggleChain,
} from '@headwater/demo-kit'

interface ChainPickerProps {
  known: Config['chains']
  chosen: Link['chains']
}

/** Selects chains by tag, by name, or by id. */
export function ChainPicker({ known, chosen }: ChainPickerProps) {
  function addOthers(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const form = event.currentTarget
    const others = parseChains(String(new FormData(form).get('chains')))
    form.reset()
    if (others.length > 0) {
      openLink({ chains: [...new Set([...chosen, ...others])] })
    }
  }

  return (
    <div className="chips" role="group" aria-label="Chains" data-testid="chain-picker">
      {chainChoices(known, chosen).map(({ value, label, isChosen }) => (
        <button
          key={value}
          type="button"
          data-testid="chain-option"
          data-chain-id={typeof value === 'number' ? value : undefined}
          data-tag={typeof value === 'string' ? value : undefined}
          aria-pressed={isChosen}
          onClick={() => openLink({ chains: toggleChain(chosen, value) })}
        >
          {label}
        </button>
      ))}
      <form className="others" onSubmit={addOthers}>
        <input
          name="chains"
          data-testid="chain-input"
          aria-label="Other chain ids or tags"
          placeholder="Other id or tag"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
      </form>
    </div>
  )
}
