"""The list of cards: shows texts at full size, acts on one, edits one in its place."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, ClassVar

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QHelpEvent,
    QPainter,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QSizePolicy,
    QWidget,
)

from gui.models.cards import Card, CardModel
from gui.theme import Theme
from gui.widgets.card_actions import CardActions
from gui.widgets.card_paint import GAP, CardDelegate

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QAction,
        QFocusEvent,
        QKeyEvent,
        QMouseEvent,
        QPaintEvent,
        QResizeEvent,
    )

BATCH = 200
"""Longer lists are laid out in pieces, so that the window stays at hand."""
BATCH_CHARS = 12_000
"""About so many characters of new texts are laid out at once."""

FADE = 20
"""So high is what fades where cards go on below the list."""


class CardList(QListView):
    """Cards in a column.

    Enter or a double click is `opened`. `set_actions` gives what can be done with the card that
    `current_card` names; the same actions are buttons on the card, its menu and shortcuts.
    """

    opened = Signal(object)
    """The key of a card that the person wants to open or edit."""
    chosen = Signal(object)
    """The key of the card that is now current, None without one."""
    height_changed = Signal()
    """The cards together became higher or lower."""

    DELEGATE: ClassVar[type[CardDelegate]] = CardDelegate
    """What measures and paints the cards."""

    def __init__(
        self, theme: Theme, *, name: str, label: str, model: CardModel | None = None
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(label)
        self._theme = theme
        self._cards = model or CardModel(self)
        self._choice = QItemSelectionModel(self._cards, self)
        self._delegate = self.DELEGATE(theme, self, self._row_height, self._choice.isSelected)
        self._actions: list[QAction] = []
        self._hovered = QModelIndex()
        self._pointer: QPoint | None = None
        self._editor: QWidget | None = None
        self._edited: Hashable = None
        self._height: int | None = 0
        # Ours, not Qt's own: asked for an object that Python does not know, PySide looks through
        # all its widget classes, which takes as long as making the page.
        self._room = QWidget()
        self.setViewport(self._room)
        self._strip = CardActions(self._room)
        self._strip.pressed.connect(self._choose_hovered)
        self.setModel(self._cards)
        self.setSelectionModel(self._choice)
        self.setItemDelegate(self._delegate)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setBatchSize(BATCH)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.verticalScrollBar().setSingleStep(24)
        self.verticalScrollBar().rangeChanged.connect(self._show_bar)
        self._show_bar()
        self._choice.currentChanged.connect(self._tell_chosen)
        self.doubleClicked.connect(self._open)
        theme.changed.connect(self.scheduleDelayedItemsLayout)

    # -- what is shown -------------------------------------------------------------------

    def card_model(self) -> CardModel:
        """The model of the cards."""
        return self._cards

    def show_cards(self, cards: Sequence[Card]) -> None:
        """Show `cards`; what is at the top of the view and what is selected stays so."""
        self._hovered = QModelIndex()
        anchor = self._anchor()
        row = self.currentIndex().row()
        self._lay_out_in_pieces(cards)
        self._cards.show(cards)
        if not self.currentIndex().isValid() and row >= 0 and cards:
            self.setCurrentIndex(self._cards.index(min(row, len(cards) - 1), 0))
        self.executeDelayedItemsLayout()
        self._return_to(anchor)
        if self._pointer is not None:  # the mouse still stands where it stood
            self._hovered = self.indexAt(self._pointer)
            self._place_strip()

    def _lay_out_in_pieces(self, cards: Sequence[Card]) -> None:
        """Let the layout of texts that were not measured yet take many turns if they are many."""
        width = self._room.width()
        new = [len(card.text) for card in cards if not self._delegate.is_measured(card, width)]
        many = len(new) > BATCH or sum(new) > 2 * BATCH_CHARS
        mode = QListView.LayoutMode.Batched if many else QListView.LayoutMode.SinglePass
        if many:
            self.setBatchSize(min(max(BATCH_CHARS // max(*new, 1), 5), 40))
        if self.layoutMode() != mode:
            self.setLayoutMode(mode)

    def mark_matches(self, needle: str) -> None:
        """Mark where `needle` stands in the texts."""
        if self._delegate.needle != needle:
            self._delegate.needle = needle
            self._room.update()

    def content_height(self) -> int | None:
        """Give the height at which all cards would be seen; None for more than a person sees."""
        if self._cards.rowCount() > BATCH or self.layoutMode() == QListView.LayoutMode.Batched:
            return None
        return sum(self._row_height(card) for card in self._cards.cards)

    def is_laid_out(self) -> bool:
        """Tell whether every card has its place; long lists take some turns for that."""
        self.executeDelayedItemsLayout()
        last = self._cards.rowCount() - 1
        return last < 0 or self.visualRect(self._cards.index(last, 0)).isValid()

    def current_card(self) -> Card | None:
        """Give the card that actions work on: the selected one."""
        return self._cards.card_at(self.currentIndex().row())

    def choose(self, key: Hashable) -> bool:
        """Select the card with that key and bring it into view; False if it is not here."""
        index = self._cards.index_of(key)
        if not index.isValid():
            return False
        self.setCurrentIndex(index)
        self.scrollTo(index)
        return True

    def take_focus(self) -> None:
        """Put the keyboard here, seen at once by the frame around a card."""
        self._choose_first()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _anchor(self) -> tuple[Hashable, int] | None:
        if self.verticalScrollBar().value() == 0:
            return None
        index = self.indexAt(QPoint(4, 0))
        if not index.isValid():
            index = self.indexAt(QPoint(4, GAP + 1))
        card = self._cards.card_at(index.row())
        return None if card is None else (card.key, self.visualRect(index).top())

    def _return_to(self, anchor: tuple[Hashable, int] | None) -> None:
        if anchor is None:
            return
        index = self._cards.index_of(anchor[0])
        if index.isValid():
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + self.visualRect(index).top() - anchor[1])

    # -- what can be done with a card ------------------------------------------------------

    def set_actions(self, actions: Sequence[QAction], on_card: Sequence[QAction] = ()) -> None:
        """Offer `actions` in the menu and by their shortcuts; `on_card` also as buttons."""
        for action in self._actions:
            self.removeAction(action)
        self._actions = list(actions)
        for action in actions:
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            self.addAction(action)
        self._strip.offer(on_card)
        self._place_strip()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        if event.reason() == QContextMenuEvent.Reason.Mouse:
            index = self.indexAt(event.pos())
            if index.isValid():
                self.setCurrentIndex(index)
            where = event.globalPos()
        else:
            where = self._room.mapToGlobal(self.visualRect(self.currentIndex()).center())
        if self.current_card() is None or not self._actions:
            return
        from PySide6.QtWidgets import QMenu

        menu = QMenu(self)
        menu.setObjectName("card_menu")
        menu.addActions(self._actions)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(where)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.KeypadModifier,
        )
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2) and plain:
            self._open(self.currentIndex())
            event.accept()
        else:
            super().keyPressEvent(event)

    def _open(self, index: QModelIndex) -> None:
        card = self._cards.card_at(index.row())
        if card is not None:
            self.opened.emit(card.key)

    def _tell_chosen(self, *_: object) -> None:
        card = self.current_card()
        self.chosen.emit(card.key if card is not None else None)
        self._place_strip()

    # -- the editor in place of a card ------------------------------------------------------

    def open_editor(self, key: Hashable, editor: QWidget) -> None:
        """Put `editor` in the place of the card with that key, at the height it asks for."""
        self.close_editor()
        editor.setParent(self._room)
        self._edited, self._editor = key, editor
        self.choose(key)
        editor.show()
        self.editor_grew()
        self.scrollTo(self._cards.index_of(key))

    def close_editor(self) -> None:
        """Let go of the editor, which is deleted; the card is seen again."""
        editor, self._editor, self._edited = self._editor, None, None
        if editor is not None:
            editor.hide()
            editor.deleteLater()
            self.editor_grew()

    def edited_key(self) -> Hashable:
        """Give the key of the card that is being edited, None without one."""
        return self._edited

    def editor_grew(self) -> None:
        """Give the editor the room that it now asks for."""
        self.scheduleDelayedItemsLayout()
        self.executeDelayedItemsLayout()

    def _row_height(self, card: Card) -> int:
        width = self._room.width()
        if self._editor is not None and card.key == self._edited:
            wanted = self._editor.heightForWidth(width)
            return (wanted if wanted >= 0 else self._editor.sizeHint().height()) + GAP
        return self._delegate.height_of(card, width)

    # -- layout ---------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        return QSize(320, 640 if self._height is None else max(self._height, 1))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 0)

    def _show_bar(self, *_: object) -> None:
        """Keep the bar's room, so that cards stay in line, but show it only if it is needed."""
        bar = self.verticalScrollBar()
        bar.setEnabled(bar.maximum() > 0)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        bar = self.verticalScrollBar()
        if bar.value() < bar.maximum():
            self._fade_out()

    def _fade_out(self) -> None:
        """Let the card that goes on below the list end softly."""
        # Not at the start: the class brings 180 ready gradients along.
        from PySide6.QtGui import QLinearGradient

        area = QRectF(self._room.rect())
        area.setTop(area.bottom() - FADE)
        ground = self._theme.color("background")
        clear = QColor(ground)
        clear.setAlpha(0)
        fade = QLinearGradient(area.topLeft(), area.bottomLeft())
        fade.setColorAt(0, clear)
        fade.setColorAt(1, ground)
        painter = QPainter(self._room)
        painter.fillRect(area, fade)
        painter.end()

    def doItemsLayout(self) -> None:
        super().doItemsLayout()
        self._tell_height()

    def _tell_height(self) -> None:
        height = self.content_height()
        if height != self._height:
            self._height = height
            self.updateGeometry()
            self.height_changed.emit()

    def updateGeometries(self) -> None:
        super().updateGeometries()
        self._settle()
        self._place_editor()
        self._place_strip()

    def _settle(self) -> None:
        """Let a list of few long texts be as any other, once all of them are measured."""
        if self.layoutMode() == QListView.LayoutMode.Batched and self._cards.rowCount() <= BATCH:
            width = self._room.width()
            if all(self._delegate.is_measured(card, width) for card in self._cards.cards):
                self.setLayoutMode(QListView.LayoutMode.SinglePass)
                self._tell_height()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        super().scrollContentsBy(dx, dy)
        self._place_editor()
        self._place_strip()

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._cards.rowCount() > BATCH and event.size().width() != event.oldSize().width():
            self.setLayoutMode(QListView.LayoutMode.Batched)
        super().resizeEvent(event)
        self._place_editor()
        self._place_strip()

    def _place_editor(self) -> None:
        if self._editor is None:
            return
        index = self._cards.index_of(self._edited)
        if index.isValid():
            self._editor.setGeometry(self.visualRect(index).adjusted(0, 0, 0, -GAP))

    def _place_strip(self) -> None:
        index = self._hovered if self._hovered.isValid() else self.currentIndex()
        card = self._cards.card_at(index.row())
        wanted = card is not None and card.key != self._edited
        if not wanted or not self._strip.show_possible():
            self._strip.hide()
            return
        rect = QRectF(self.visualRect(index)).adjusted(0, 0, 0, -GAP)
        row = self._delegate.meta_row(rect).toRect()
        size = self._strip.sizeHint()
        size.setWidth(min(size.width(), row.width()))
        top = row.center().y() - size.height() // 2 + 1
        self._strip.setGeometry(row.right() - size.width() + 6, top, size.width(), size.height())
        self._strip.show()

    # -- mouse and focus -------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._pointer = event.position().toPoint()
        self._hover(self.indexAt(self._pointer))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Leave:
            self._pointer = None
            self._hover(QModelIndex())
        elif event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            card = self._cards.card_at(self.indexAt(event.pos()).row())
            show_plain_tip(event.globalPos(), card.tips() if card is not None else "", self)
            return True
        return super().viewportEvent(event)

    def _choose_hovered(self) -> None:
        """Let the actions work on the card that their buttons stand on."""
        if self._hovered.isValid():
            self.setCurrentIndex(self._hovered)

    def _hover(self, index: QModelIndex) -> None:
        if index != self._hovered:
            self._hovered = index
            self._place_strip()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._choose_first()
        super().focusInEvent(event)

    def _choose_first(self) -> None:
        # Before Qt does it: Qt makes the first card current, but does not select it.
        if not self.currentIndex().isValid() and self._cards.rowCount():
            self._choice.setCurrentIndex(
                self._cards.index(0, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect
            )


def show_plain_tip(where: QPoint, text: str, widget: QWidget) -> None:
    """Show a tooltip that is never taken for markup."""
    # A tooltip takes text for markup if it looks like it; escaped inside markup it cannot.
    from html import escape

    from PySide6.QtWidgets import QToolTip

    QToolTip.showText(
        where, f"<p style='white-space:pre-wrap'>{escape(text)}</p>" if text else "", widget
    )
