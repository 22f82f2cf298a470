"""The rules of Bong Hit 99 as texts: what each one says, what breaks it, and how an audit goes on afterwards.

`RULES` is keyed by slug, the stable public name that a finding cites. `RULINGS` holds the answers to what the
rules leave open; each has a decision record in docs/adr.

>>> RULES["hold-card"].sentence
'You can only play or show a card that is in your own hand.'
>>> [RULINGS[id].title for id in RULES["reshuffle"].rulings]
['Seats', 'When to reshuffle']
"""

from collections.abc import Mapping
from types import MappingProxyType

import msgspec


class Rule(msgspec.Struct, frozen=True):
    """One rule; `sentence` is for reading aloud, `text` for settling the matter."""

    slug: str
    title: str
    sentence: str
    text: str
    rulings: tuple[str, ...]


class Ruling(msgspec.Struct, frozen=True):
    """A reading that was chosen where the rules are silent; `adr` is the number of its record in docs/adr."""

    id: str
    title: str
    text: str
    adr: int


_RULES = (
    Rule(
        slug="deck",
        title="The deck",
        sentence=(
            "We use fifty-two cards, and each of them is held by a player, waits in the stock or lies on the "
            "play pile: always one of these, never two."
        ),
        text=(
            "The game needs one ordinary pack and leaves the jokers in the box. From the deal on, all 52 "
            "cards can be accounted for. It is a fault when a card turns up although everybody can see it "
            "lying somewhere else (on the play pile, or in a hand that was shown), when one card is there "
            "twice, or when one is gone. A log that no possible deal can explain any more has this fault "
            "too, or hold-card. The audit reports it once and leaves open where the card really was, until "
            "later lines settle it."
        ),
        rulings=(),
    ),
    Rule(
        slug="deal",
        title="The deal",
        sentence="Two to thirteen players get four cards each, and whatever remains becomes the stock.",
        text=(
            "A hand begins with four cards for everyone who has a seat, nothing on the play pile and a Count "
            "of zero. It is a fault to deal somebody more or fewer cards, to forget a seat, to deal to "
            "somebody who has none, or to need more cards than the pack holds. The audit then believes the "
            "lines that follow: whoever acts in the hand was in it, and whoever never does was not."
        ),
        rulings=("R1", "R8"),
    ),
    Rule(
        slug="dealer-rotation",
        title="Who deals",
        sentence="When a hand is over, it is the turn of the dealer's left neighbour to deal.",
        text=(
            "Left is clockwise, and empty seats are passed over, so everybody gets to shuffle. The first "
            "dealer is for the table to name, and a voided hand is dealt again by the same person. A deal by "
            "anybody else is a fault. The audit then keeps two possibilities: first turn and next deal may "
            "follow from the one who did deal, or from the one who should have. Later lines show which."
        ),
        rulings=("R7", "R8", "R9"),
    ),
    Rule(
        slug="turn-order",
        title="Whose turn it is",
        sentence="The dealer's left-hand neighbour begins, then it goes clockwise, skipping whoever is out.",
        text=(
            "Nothing in this game turns the direction. A turn lasts until its player has played and drawn, "
            "or has gone out; then it belongs to the next one clockwise who is in the hand. It is a fault "
            "when somebody else plays or goes out while the player whose turn it was had a card to play. If "
            "that player had none, they were passed over when they should have gone out, and the finding is "
            "out. Afterwards the game may continue behind the one who barged in or return to the one who was "
            "skipped, and the audit lets the log decide."
        ),
        rulings=("R8",),
    ),
    Rule(
        slug="hold-card",
        title="Your own cards",
        sentence="You can only play or show a card that is in your own hand.",
        text=(
            "Cards from the stock or from a neighbour are not yours to put down. It is a fault to play or "
            "show a card you didn't have; if it was lying in the open the finding is deck, and if it was "
            "drawn rather than played, draw. A card which the log names as a player's is taken to be theirs "
            "unless another logged card says no. Which card really left the hand stays open after such a "
            "fault, and whatever is still possible then is not held against anybody."
        ),
        rulings=(),
    ),
    Rule(
        slug="limit",
        title="The limit",
        sentence="The Count ends at 99, and a card that would push it further can't be played.",
        text=(
            "Reaching 99 is fine, 100 is not. When it has got there, the cards that still go are a 2, a 9, a "
            "10, a King and the Queen of Spades, and the Ace of Diamonds as an answer to her. Playing "
            "anything that goes too high is a fault. The table's own call then carries the game on: the "
            "audit continues from the number that was called, and treats a higher one than 99 as 99. If no "
            "call was written down, the Count is unknown until the next that was."
        ),
        rulings=("R6",),
    ),
    Rule(
        slug="count-called",
        title="Calling the Count",
        sentence="When you play, call the new Count, and call the one that your card really makes.",
        text=(
            "An Ace adds 1, the cards from 2 to 10 add their number, a Jack or a Queen adds 10, and a King "
            "puts the Count at 99 from anywhere. At exactly 99, and not before, some cards change: a 2, a 9, "
            "a King and the Queen of Spades leave it at 99, and a 10 brings it back to 89. Calling any other "
            "number is a fault, and one wrong call is one finding. The audit then listens to the next call. "
            "If that fits the cards, the cards are right; if it builds on the mistake, the table has "
            "accepted the mistake and the game goes on from it. If it fits neither, it is a fault of its "
            "own."
        ),
        rulings=("R6",),
    ),
    Rule(
        slug="must-play",
        title="Playing is not optional",
        sentence=(
            "Nobody may go out or sit out a turn while holding a card that fits; which fitting card to use "
            "is up to the player."
        ),
        text=(
            "A card fits when the rules let it be played at the present Count. A King always does, and at 99 "
            "so does the Queen of Spades, even for somebody who would rather not. Going out with a fitting "
            "card is a fault. Proof may come much later, when that player turns up the Ace of Clubs for a "
            "steal or catches a slide with another club; the line reported is still the one where they went "
            "out. Whether they were really out is then read from the log: if they play on they are in, "
            "otherwise they are out."
        ),
        rulings=("R7",),
    ),
    Rule(
        slug="draw",
        title="Drawing",
        sentence="Having played, you take the top card of the stock: only you, and only one.",
        text=(
            "The draw ends the turn and fills the hand up to four. Faults are leaving it out, drawing twice, "
            "drawing when somebody else should, and drawing a card that was in another place. A draw left "
            "out shows at the first later line that it should have come before, often the next player's "
            "card. Which card really moved is left open, and later lines decide. Somebody who leaves the "
            "hand before drawing no longer has to."
        ),
        rulings=("R2", "R8", "R17"),
    ),
    Rule(
        slug="four-cards",
        title="Four cards",
        sentence="When a turn is over everybody has four cards, and whoever goes out takes four along.",
        text=(
            "Three or five mean that something slipped, and the table mends it: missing cards are drawn as "
            "usual, spare ones go under the stock. The slip is reported once, where it happened, and turns "
            "played with such a hand add nothing. What breaks this rule is the mending itself, when the hand "
            "was right already or still hasn't four cards afterwards. The audit follows the cards that were "
            "moved and lets later lines show what the hand then is."
        ),
        rulings=("R8", "R17"),
    ),
    Rule(
        slug="reshuffle",
        title="Reshuffling",
        sentence="When no stock is left, the complete play pile is mixed to make one, and the Count is kept.",
        text=(
            "Even the top card of the pile goes in, so nothing is left lying there. There is some freedom "
            "about the moment: as soon as the stock's last card is gone, or not until another card is "
            "needed. It is a fault to shuffle at any other time, or to make a stock that is not precisely "
            "the cards of the pile. The audit goes on with the stock that was listed. If a reshuffle came "
            "too early and listed none, the old stock and the pile together are the new one."
        ),
        rulings=("R1", "R2"),
    ),
    Rule(
        slug="out",
        title="Going out",
        sentence=(
            "If none of your cards fits when your turn comes, you are out of this hand, and your four cards "
            "lie face down until it is won."
        ),
        text=(
            "The clubs among them may still decide who gets the hit, so they are neither swapped nor seen "
            "until somebody has won. Faults are passing over a player who is stuck, letting somebody who is "
            "out play or go out again, and showing cards too soon. A player who was passed over counts as "
            "out if they do nothing more in that hand, and as in if they do. Somebody who leaves during a "
            "hand is out straight away, and their cards stay."
        ),
        rulings=("R8",),
    ),
    Rule(
        slug="death-card-target",
        title="The Death Card",
        sentence=(
            "At exactly 99 the Queen of Spades turns into the Death Card, aimed at the nearest player "
            "clockwise who is not out."
        ),
        text=(
            "At a lower Count she is worth 10 and threatens nobody. Whoever plays her draws a card first, as "
            "on any turn, and then the player she is aimed at has to answer. It is a fault to aim at another "
            "seat, or to put somebody out by Death Card when she was aimed at nobody. After a wrong aim the "
            "audit accepts an answer from either, the player who was named or the one who should have been, "
            "and the turn passes on from whoever gave it."
        ),
        rulings=("R8",),
    ),
    Rule(
        slug="death-card-shield",
        title="The shield",
        sentence=(
            "Against the Death Card only the Ace of Diamonds helps: if you have it you play it, and if you "
            "don't you are out on the spot."
        ),
        text=(
            "Once the threat's player has drawn, the answer comes before anything else. The shield leaves "
            "the Count at 99 and its player draws; without it the target lays their hand aside and the turn "
            "moves past them. It is a fault if a target without the ace stays in, if one who has it does "
            "something else, or if a target is put out on other grounds than the Death Card or leaving the "
            "table. Who is in after that is read from the log: those who act again are."
        ),
        rulings=("R8",),
    ),
    Rule(
        slug="death-card-blowback",
        title="Blowback",
        sentence=(
            "A Death Card that meets the shield puts its own player out, unless the game has been for two "
            "from the very start."
        ),
        text=(
            "Being the last two of a larger game changes nothing. The shield was the target's whole turn, so "
            "the player behind the target comes next. Where it was two people all along, the shield puts "
            "nobody out, and the one who played the Death Card goes again. It is a fault to keep that player "
            "in where they should be out, and to put them out in a game for two or when nobody used the "
            "shield. The audit then watches what they do: if they act again while the hand lasts they are "
            "in, otherwise they are out."
        ),
        rulings=("R3", "R8"),
    ),
    Rule(
        slug="last-standing",
        title="Winning the hand",
        sentence="The hand belongs to the only player who is not out, and then no more cards are played.",
        text=(
            "All that remains before the next deal is to settle the prize. Faults are a win declared while "
            "somebody else is in, a win for somebody who is out, and a card played with nobody left to play "
            "against or with the hand already won. The audit keeps each possible answer to who was in, and "
            "the lines that follow choose between them. There is no limit on turns; a hand that won't end "
            "can be voided."
        ),
        rulings=("R7",),
    ),
    Rule(
        slug="steal",
        title="Stealing the hit",
        sentence=(
            "Whoever went out keeping the Ace of Clubs turns it up and takes the winner's hit, whether they "
            "would like to or not."
        ),
        text=(
            "Hits left from earlier hands are part of that prize and go along. It is a fault to go on to the "
            "rest of the prize with a steal still owed, to steal without the ace, and to get the player or "
            "the card wrong. A forgotten steal is noticed as soon as a hit slides, is taken, is given or is "
            "left. A wrong steal still stands for the player it favoured, and nothing that follows from it "
            "is reported. Every steal is also proof that its player had the ace when they went out."
        ),
        rulings=("R4", "R8"),
    ),
    Rule(
        slug="bonus",
        title="The bonus hit",
        sentence="A winner with the Ace of Clubs isn't robbed: their hit is safe, and the ace adds another.",
        text=(
            "That added hit is a prize by itself and may slide away down the clubs, while the winner's first "
            "one stays. It is a fault to go on to the rest of the prize with a bonus still owed, to add one "
            "that no ace has earned, and to hand it to the wrong player. A forgotten bonus is noticed as "
            "soon as a hit slides, is taken, is given or is left. A wrong one stays with whoever got it, and "
            "its consequences are not reported again."
        ),
        rulings=("R4",),
    ),
    Rule(
        slug="slide",
        title="The slide",
        sentence=(
            "A hit that was stolen, or came as a bonus, goes on to the holder of the King of Clubs, then of "
            "the Queen, and so down the suit, until it comes to a club that is in no hand."
        ),
        text=(
            "Every hand that was dealt counts: the winner's, those of players who are out, and those of "
            "players who left. Each club is a step; one player may hold several, and the hit may come home "
            "to the winner. Without a steal the winner's own hit stays where it is. It is a fault to leave "
            "out a step and settle the prize, to invent one, or to get its player or club wrong. A wrong "
            "step stands for whoever got the hit by it and has no further findings. A step also proves that "
            "its new holder had that club."
        ),
        rulings=("R4", "R8"),
    ),
    Rule(
        slug="prize",
        title="Settling the prize",
        sentence="Hits you end up with are yours to take, give or leave for next time; none may go missing.",
        text=(
            "The main prize is this hand's hit together with any that earlier hands left; a bonus is one "
            "more, settled separately. A holder may divide a prize among the three uses. It is a fault to "
            "dispose of somebody else's hits, to dispose of another number than there are, or to leave a "
            "prize unsettled, which is noticed when somebody deals or joins, or when the game is closed. If "
            "the wrong number is left for the next hand, either that number or the right one is at stake "
            "there."
        ),
        rulings=("R4", "R5", "R7"),
    ),
    Rule(
        slug="loader",
        title="Loading duty",
        sentence="If the bowl needs filling, whoever went out first in this hand does it, hit or no hit.",
        text=(
            "From the deal until somebody is out no one has the duty, except a player whose leisure hit "
            "finished the bowl: they keep it until then. Whoever finishes a bowl after that point takes the "
            "duty over. Leaving the table doesn't make anybody the loader, and loading ends no duty. When no "
            "one has it, anyone may load; when somebody has, a load by another player is a fault. The audit "
            "reports that load and leaves the duty where it was."
        ),
        rulings=("R7", "R8", "R16"),
    ),
    Rule(
        slug="log-order",
        title="Order in the log",
        sentence="The log tells things in an order in which they can happen: deal, play, win, prize.",
        text=(
            "A leisure hit or a load fits in at any point, and lines that were taken back don't count. It is "
            "a fault when something couldn't have happened where it stands: a card played before the deal or "
            "after the hand was voided, a deal while a hand is going on, a prize with no winner yet. So is a "
            "running number that jumps or comes twice. The audit reports the line, keeps every reading that "
            "makes sense of it, and goes on with the one that needs the fewest findings."
        ),
        rulings=("R7", "R14"),
    ),
)

_RULINGS = (
    Ruling(
        id="R1",
        title="Seats",
        text=(
            "Two players are enough, and thirteen are the most, because 52 cards make thirteen hands of "
            "four. At a full table no stock is left: each card that is played gets shuffled by itself and is "
            "drawn again at once. The referee will not deal to a fourteenth player, and a log in which "
            "somebody did has a deal finding there."
        ),
        adr=1,
    ),
    Ruling(
        id="R2",
        title="When to reshuffle",
        text=(
            "The referee shuffles as late as it can: when somebody has to draw and the stock is empty. A "
            "table may do it earlier, at any point after the last card of the stock was drawn, and its log "
            "is right either way."
        ),
        adr=2,
    ),
    Ruling(
        id="R3",
        title="What a two-player game is",
        text=(
            "The rules for two are in force when each hand so far, from the first one on, was dealt to the "
            "same two people. If a third was ever dealt in, the regular rules stay, however few remain in "
            "the hand or at the table."
        ),
        adr=3,
    ),
    Ruling(
        id="R4",
        title="How many prizes there are",
        text=(
            "The hit of the hand and all hits that were left from before are a single main prize: they are "
            "stolen together and slide together. A bonus is a second prize and goes its own way until the "
            "hand is settled. Whoever holds a prize may take some of it, give some and leave some."
        ),
        adr=4,
    ),
    Ruling(
        id="R5",
        title="Hits left for the next hand",
        text=(
            "A hit that nobody takes or gives away is added to the main prize of the hand after, whether it "
            "came from a main prize or from a bonus."
        ),
        adr=5,
    ),
    Ruling(
        id="R6",
        title="A wrong call",
        text=(
            "A wrong call is reported once. Whether the table noticed is read from the next call: one that "
            "fits the cards means that the cards' Count is in force, one that adds to the wrong number means "
            "that the table adopted it, and the game continues from there with nothing more to report. A "
            "call that fits neither is wrong again. A correction of the Count sets it outright."
        ),
        adr=6,
    ),
    Ruling(
        id="R7",
        title="Endless and voided hands",
        text=(
            "A big hand can go round for a long time once nearly every card left in it passes at 99. There "
            "is no cap on turns, but a table may void the hand. Then nobody wins it, the hits that were at "
            "stake wait for the next one, the same player deals again, and a duty that its first player out "
            "got is gone. What was taken at leisure, finished or loaded did happen and is kept; in the "
            "statistics nothing else of the hand is counted."
        ),
        adr=7,
    ),
    Ruling(
        id="R8",
        title="Coming and going",
        text=(
            "New players sit down between hands. Somebody who leaves in the middle of one is out immediately "
            "and owes no draw; their cards stay where they are and still count for the steal and the slide, "
            "and they are not made loader. If the target of a Death Card leaves, that settles it; if the one "
            "who played it leaves, the target must answer all the same. Empty seats don't deal: when the "
            "dealer has gone, the seat beside theirs is the next to do it."
        ),
        adr=8,
    ),
    Ruling(
        id="R9",
        title="The first dealer",
        text=(
            "Any player may deal the first hand, and the log says who did. If nobody chooses, the referee "
            "lets the last seat deal, so that the first seat begins."
        ),
        adr=9,
    ),
    Ruling(
        id="R14",
        title="Taking back",
        text=(
            "The table can undo what it did, and the scribe can repair what was written wrongly. The "
            "take-back names a line that still stands, other than the first; from there on nothing counts, "
            "neither for the game nor for the statistics, and findings on it disappear. The lines are kept "
            "and can be seen. A leisure hit or a load in that stretch stays valid, and a card that was seen "
            "stays known; what the scribe only wrote by mistake was never seen. Taking back is never a fault."
        ),
        adr=10,
    ),
    Ruling(
        id="R16",
        title="When the duty begins and ends",
        text=(
            "A new hand has no loader until its first player is out, unless a leisure hit finished a bowl: "
            "whoever took it has the duty until that moment. With nobody on duty any player may load, and a "
            "load leaves the duty as it is. Once somebody is out, whoever finishes a bowl takes the duty "
            "over. If a hand is voided and its loader falls away, somebody who had finished a bowl before is "
            "on duty again."
        ),
        adr=11,
    ),
    Ruling(
        id="R17",
        title="Putting a hand right",
        text=(
            "A hand with too few cards is filled by drawing; one with too many gives cards back underneath "
            "the stock. The slip that caused it remains one finding, and neither the turns in between nor "
            "the repair adds another."
        ),
        adr=12,
    ),
)

RULES: Mapping[str, Rule] = MappingProxyType({rule.slug: rule for rule in _RULES})
"""The rules of the game, in the order in which they are explained."""

RULINGS: Mapping[str, Ruling] = MappingProxyType({ruling.id: ruling for ruling in _RULINGS})
"""The rulings that the rules refer to, by id."""
