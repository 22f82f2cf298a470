"""The rules of all games as texts: what each one says, what breaks it, and how an audit goes on afterwards.

`RULES` is keyed by slug, the stable public name that a finding cites; one slug means the same in every game, Bong
Hit 99, the Ninety-Nine family and house rules, and its text says where they differ. `RULINGS` holds the answers to
what the rules leave open; each has a decision record in docs/adr.

>>> RULES["hold-card"].sentence
'You can only play or show a card that is in your own hand.'
>>> [RULINGS[id].title for id in RULES["reshuffle"].rulings]
['Seats', 'When to reshuffle', 'Rolling hands', 'What is reshuffled']
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
            "Each card of the pack is held by a player, waits in the stock or lies on the play pile: always one "
            "of these, never two."
        ),
        text=(
            "Bong Hit 99 needs one ordinary pack of 52 and leaves the jokers in the box; Ninety-Nine takes a "
            "second one when more people sit down, and then each card is there twice, which is no fault until a "
            "third turns up. From the deal on, all cards can be accounted for. It is a fault when a card turns up "
            "although everybody can see it lying somewhere else (on the play pile, or in a hand that was shown), "
            "when there are more of one card than the packs have, or when one is gone. A log that no possible "
            "deal can explain any more has this fault, or hold-card. The audit reports it once and leaves open "
            "where the card really was, until later lines settle it."
        ),
        rulings=("R22",),
    ),
    Rule(
        slug="deal",
        title="The deal",
        sentence=(
            "Everybody gets a hand of the same size, four cards in Bong Hit 99, and whatever remains becomes the stock."
        ),
        text=(
            "A hand begins with four cards for everyone who has a seat, nothing on the play pile and a Count of "
            "zero; two to thirteen can play. In Ninety-Nine it is three cards, or as many as the set of rules "
            "says, for everyone who is still in the match, as long as the packs serve them. It is a fault to deal "
            "somebody more or fewer cards, to forget somebody, to deal to somebody who has no seat or is out of "
            "the match, or to need more cards than the packs hold. The audit then believes the lines that follow: "
            "whoever acts in the hand was in it, and whoever never does was not."
        ),
        rulings=("R1", "R8", "R22"),
    ),
    Rule(
        slug="dealer-rotation",
        title="Who deals",
        sentence="When a hand is over, it is the turn of the dealer's left neighbour to deal.",
        text=(
            "Left is clockwise, whichever way play went last; empty seats and players who are out of the match "
            "are passed over. The first dealer is for the table to name, and a voided hand is dealt again by the "
            "same person. A deal by anybody else is a fault. The audit then keeps two possibilities: first turn "
            "and next deal may follow from the one who did deal, or from the one who should have. Later lines "
            "show which."
        ),
        rulings=("R7", "R8", "R9", "R18"),
    ),
    Rule(
        slug="turn-order",
        title="Whose turn it is",
        sentence=(
            "The dealer's left-hand neighbour begins, then it goes clockwise, skipping whoever is out, unless a "
            "card says otherwise."
        ),
        text=(
            "In Bong Hit 99 nothing turns the direction. In Ninety-Nine a 4 does (with borders an 8) and play "
            "goes the other way until the next of them; between two players it usually changes nothing, and by "
            "one option it gives its player another turn. House rules may have cards that skip the next player, "
            "choose who is next or let their player go again. A turn lasts until its player has played and drawn, "
            "or has gone out; then it belongs to the next one who is in the hand. It is a fault when somebody "
            "else plays or goes out while the player whose turn it was had a card to play, and when a card that "
            "chooses points at somebody it can't. If the one to act had no card to play, they were passed over "
            "when they should have gone out, and the finding is out. Afterwards the game may continue behind the "
            "one who barged in or return to the one who was skipped, and the audit lets the log decide."
        ),
        rulings=("R8", "R11", "R18", "R23"),
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
        sentence=(
            "The Count ends at 99, and a card that would push it further can't be played, unless the game lets "
            "you play it and lose."
        ),
        text=(
            "Reaching 99 is fine, 100 is not. In Bong Hit 99 the cards that still go there are a 2, a 9, a 10, a "
            "King and the Queen of Spades, and the Ace of Diamonds as an answer to her; in Ninety-Nine whatever "
            "doesn't take the total higher: a 4, a 9, a 10 that counts down and a King. Playing anything that "
            "goes too high is a fault, and so is choosing the number of a card that does. With tokens such a card "
            "may be played and loses the hand, and with borders it ends it. House rules can set a lowest total as "
            "well, and no play may go under it. The table's own call then carries the game on: the audit "
            "continues from the number that was called, and treats a higher one than the limit as the limit. If "
            "no call was written down, the Count is unknown until the next that was."
        ),
        rulings=("R6", "R10", "R13", "R19"),
    ),
    Rule(
        slug="count-called",
        title="Calling the Count",
        sentence="When you play, call the new Count, and call one that your card really makes.",
        text=(
            "The cards from 2 to 10 add their number, a Jack or a Queen adds 10, and a King puts the Count at 99 "
            "from anywhere. In Bong Hit 99 an Ace adds 1, and at exactly 99, not before, some cards change: a 2, "
            "a 9, a King and the Queen of Spades leave it at 99, and a 10 brings it back to 89. In Ninety-Nine an "
            "Ace adds 1 or 11 and a 10 adds or takes away 10, as its player likes, and a 4 and a 9 add nothing; "
            "with borders it is the 8 that adds nothing, and a 4 and a King add 4 and 10. What was chosen is told "
            "by the call, or by the value that is written down; with neither the Count is open until a later "
            "call. Calling a number that the card can't make is a fault, and so is a value that the card hasn't "
            "or that doesn't lead to the call; one wrong call is one finding. The audit then listens to the next "
            "call. If that fits the cards, the cards are right; if it builds on the mistake, the table has "
            "accepted the mistake and the game goes on from it. If it fits neither, it is a fault of its own. "
            "What else is said with a card, such as a word that turns the direction, is not judged."
        ),
        rulings=("R6", "R10"),
    ),
    Rule(
        slug="must-play",
        title="Playing is not optional",
        sentence=(
            "Nobody may go out or sit out a turn while holding a card that fits; which fitting card to use is up "
            "to the player."
        ),
        text=(
            "A card fits when the rules let it be played at the present Count, with one of its values if it has "
            "several. In Bong Hit 99 a King always does, and at 99 so does the Queen of Spades, even for somebody "
            "who would rather not. Where cards over the limit may be played, every card fits and only an empty "
            "hand can't play. Going out with a fitting card is a fault. Proof may come much later, when that "
            "player turns up the Ace of Clubs for a steal or catches a slide with another club; the line reported "
            "is still the one where they went out. Whether they were really out is then read from the log: if "
            "they play on they are in, otherwise they are out."
        ),
        rulings=("R7", "R13", "R19"),
    ),
    Rule(
        slug="draw",
        title="Drawing",
        sentence="Having played, you take the top card of the stock: only you, and only one.",
        text=(
            "The draw ends the turn and fills the hand up again. Faults in Bong Hit 99 are leaving it out, "
            "drawing twice, drawing when somebody else should, and drawing a card that was in another place. A "
            "draw left out shows at the first later line that it should have come before, often the next player's "
            "card. In Ninety-Nine a draw may be forgotten. With tokens it can be made good until its player plays "
            "again, and is a fault if it still wasn't then. With chips it is lost once somebody else has drawn, "
            "with pennies once the next player has played: the hand stays short and nothing is reported, but a "
            "draw that comes too late is. A card that ends the hand is followed by no draw, nor is one played "
            "when there is nothing left to draw or to shuffle. Which card really moved after a fault is left "
            "open, and later lines decide. Somebody who leaves the hand before drawing no longer has to."
        ),
        rulings=("R2", "R8", "R17", "R20"),
    ),
    Rule(
        slug="four-cards",
        title="Four cards",
        sentence=(
            "When a turn is over everybody has as many cards as were dealt, four in Bong Hit 99, and takes them "
            "along when going out."
        ),
        text=(
            "A card too few or too many means that something slipped, and the table mends it: missing cards are "
            "drawn as usual, spare ones go under the stock. The slip is reported once, where it happened, and "
            "turns played with such a hand add nothing. What breaks this rule is the mending itself, when the "
            "hand was right already or still hasn't its number afterwards. In Ninety-Nine a hand whose forgotten "
            "draw is lost is rightly short, and filling it up is such a fault. The audit follows the cards that "
            "were moved and lets later lines show what the hand then is."
        ),
        rulings=("R8", "R17", "R20"),
    ),
    Rule(
        slug="reshuffle",
        title="Reshuffling",
        sentence="When no stock is left, the play pile is mixed to make one, and the Count is kept.",
        text=(
            "As a rule even the top card of the pile goes in, so nothing is left lying there. With chips the card "
            "played last stays where it is, and in a rolling hand the piles that were taken away go in too. There "
            "is some freedom about the moment: as soon as the stock's last card is gone, or not until another "
            "card is needed. It is a fault to shuffle at any other time, or to make a stock that is not precisely "
            "the cards it should be. The audit goes on with the stock that was listed. If a reshuffle came too "
            "early and listed none, the old stock and the pile together are the new one."
        ),
        rulings=("R1", "R2", "R11", "R21"),
    ),
    Rule(
        slug="out",
        title="Going out",
        sentence=(
            "If none of your cards fits when your turn comes, you are out of this hand, and your cards lie face "
            "down until it is over."
        ),
        text=(
            "In Bong Hit 99 the others play on, and the clubs in a hand that is out may still decide who gets the "
            "hit, so those cards are neither swapped nor seen until somebody has won. With chips and pennies the "
            "hand ends with the first who can't play; in a rolling hand the others begin a new pile from zero. "
            "Somebody without any card can't play either. Faults are passing over a player who is stuck, letting "
            "somebody who is out play or go out again, and showing cards too soon. A player who was passed over "
            "counts as out if they do nothing more in that hand, and as in if they do. Somebody who leaves during "
            "a hand is out straight away, and their cards stay."
        ),
        rulings=("R8", "R11", "R19"),
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
            "against or with the hand already won. The audit keeps each possible answer to who was in, and the "
            "lines that follow choose between them. There is no limit on turns; a hand that won't end can be "
            "voided. In Ninety-Nine hands are only lost: nobody wins one, and to say so is a fault against "
            "log-order; but in a rolling hand, too, nothing is played when one player is left."
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
        slug="tokens",
        title="Tokens",
        sentence="Whoever loses a hand puts one token in the middle, before anything else happens.",
        text=(
            "Ninety-Nine is played for tokens, chips or pennies: everybody starts a match with the same number. A "
            "token is due straight after the loss, before anything else: from the player who couldn't play, or, "
            "in the game with tokens, from the one whose card took the total over 99. House rules may name totals "
            "that cost the others when they are hit exactly: whoever brings the total there makes each other "
            "player lose a token, in the order of the seats. It is a fault to leave a loss unpaid, to pay for "
            "nothing, to let the wrong player pay or to pay the wrong number, and to write down at a deal that "
            "somebody has another number than they do. What a voided hand cost comes back. After a loss that "
            "nobody wrote down the audit asks later lines whether it was paid."
        ),
        rulings=("R7", "R19", "R22"),
    ),
    Rule(
        slug="border",
        title="Borders",
        sentence=(
            "A card that carries the total over one of the borders, upwards or back, costs its player a point for "
            "each border crossed."
        ),
        text=(
            "With borders there are three of them: between 33 and 34, between 66 and 67 and between 99 and 100. "
            "The points are due after the card and before the draw, all borders of one card together. The card "
            "that passes 99 ends the hand, and its player doesn't draw. Everybody has three points when a hand "
            "begins, and they may fall below zero. It is a fault to pay nothing, to pay for another number of "
            "borders than were crossed, and to let somebody else pay. Where the Count isn't known, nothing is "
            "asked for. Afterwards the points may stand as they were written or as they should be, and later "
            "lines show which."
        ),
        rulings=("R10", "R13"),
    ),
    Rule(
        slug="match",
        title="The match",
        sentence="Whoever has lost the last token is out of the match, and the last player in it wins.",
        text=(
            "The knock-out comes straight after the payment, and the win straight after the last knock-out or the "
            "last leaving. What is written beside the winner is what they then have, with all the tokens that "
            "were lost where the game gives them the pot. With borders nobody is knocked out: what is left of "
            "each player's points is added to a score when a hand ends, and from 15 points on a single highest "
            "score wins; it is the score that is written down. Nobody joins a match once it has begun, and "
            "somebody who leaves it is out of it. It is a fault to forget a knock-out or a win, to declare one "
            "too early, for the wrong player or with the wrong number, and to deal again when the match is won. "
            "After that the audit reads from the log whether a new match began or the old one went on."
        ),
        rulings=("R12", "R15", "R22"),
    ),
    Rule(
        slug="log-order",
        title="Order in the log",
        sentence=(
            "The log tells things in an order in which they can happen: deal, play, the end of the hand, and what "
            "that brings or costs."
        ),
        text=(
            "A leisure hit or a load fits in at any point, and lines that were taken back don't count. It is a "
            "fault when something couldn't have happened where it stands: a card played before the deal or after "
            "the hand was voided or lost, a deal while a hand is going on, a prize with no winner yet, a win or a "
            "prize in a game that has none, tokens in a game without. So is a running number that jumps or comes "
            "twice. The audit reports the line, keeps every reading that makes sense of it, and goes on with the "
            "one that needs the fewest findings."
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
            "statistics nothing else of the hand is counted. A game that is played here voids a hand by itself "
            "when 2,000 lines have followed its deal."
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
        id="R10",
        title="Totals below zero",
        text=(
            "A 10 that counts down may be played at any total, also where that takes it below zero, and the next "
            "card adds to what is there. Points of a hand with borders can become negative in the same way and "
            "are then taken off the score. Only a set of rules with a lowest total forbids it."
        ),
        adr=24,
    ),
    Ruling(
        id="R11",
        title="Rolling hands",
        text=(
            "Whoever can't play pays and sits out the rest of the hand, cards in front of them. The pile is taken "
            "away, the total is zero, and the next player in the direction of play begins with the cards they "
            "hold. What was taken away isn't lost: it goes into the next reshuffle. When one player is left the "
            "hand is over, and that player pays nothing."
        ),
        adr=25,
    ),
    Ruling(
        id="R12",
        title="The last chip",
        text=(
            "With chips a player is out of the match at the moment in which the last chip is paid, not at the "
            "next loss after it. So everybody can lose as many hands as they had chips."
        ),
        adr=26,
    ),
    Ruling(
        id="R13",
        title="Every card goes with borders",
        text=(
            "With borders a card that takes the total over 99 can be played like any other. It costs what it "
            "crosses and ends the hand, and nobody is out for having nothing that fits."
        ),
        adr=27,
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
        id="R15",
        title="A shared highest score",
        text=(
            "When a score is high enough to win but two or more share the highest, nobody has won yet. Everybody "
            "plays another hand, and so on until one player alone is in front."
        ),
        adr=28,
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
    Ruling(
        id="R18",
        title="Each hand starts clockwise",
        text=(
            "However often the last hand turned, the next one begins with the player to the dealer's left and "
            "goes clockwise. The deal moves to the left too, in all three games, to the next player who is still "
            "in the match."
        ),
        adr=29,
    ),
    Ruling(
        id="R19",
        title="Choosing to lose",
        text=(
            "In the game with tokens any card may be played at any time. A player who has something that fits may "
            "still put down a card that takes the total over 99; they lose the hand by it like anybody else, and "
            "nobody goes out for being unable to play."
        ),
        adr=30,
    ),
    Ruling(
        id="R20",
        title="Until when a draw can be made good",
        text=(
            "With tokens a forgotten draw can be made good until its player's next card, and must be. With chips "
            "it is gone when another player has drawn or its own player plays again, with pennies when the next "
            "player has played a card; from then on the hand is one card shorter, rightly, until it ends. Noting "
            "that a draw was missed is allowed and changes nothing."
        ),
        adr=31,
    ),
    Ruling(
        id="R21",
        title="What is reshuffled",
        text=(
            "With tokens and with pennies the whole pile becomes the new stock, as in Bong Hit 99. With chips "
            "only the cards underneath do: the one played last stays on the table. If that is all there is, "
            "nothing is shuffled or drawn."
        ),
        adr=32,
    ),
    Ruling(
        id="R22",
        title="Decks and tokens follow the opening",
        text=(
            "How many packs are used and what everybody starts with depends on how many sat down when the game "
            "was opened, and stays so when players are knocked out. Nobody joins a match. The referee doesn't "
            "deal to more players than the packs serve."
        ),
        adr=33,
    ),
    Ruling(
        id="R23",
        title="What between two means",
        text=(
            "A card that acts differently between two does so when two players are left in the hand, whether the "
            "match began with two, has come down to two or has others who sit this hand out."
        ),
        adr=34,
    ),
)

RULES: Mapping[str, Rule] = MappingProxyType({rule.slug: rule for rule in _RULES})
"""The rules of the games, in the order in which they are explained."""

RULINGS: Mapping[str, Ruling] = MappingProxyType({ruling.id: ruling for ruling in _RULINGS})
"""The rulings that the rules refer to, by id."""
